package millrace.client.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The one jar for machines that only call the API. */
class ClientJarIT {
    private static final long LARGEST = 5 << 20;

    @TempDir
    Path home;

    @Test
    void runsAloneAndIsSmall() throws Exception {
        Path jar = jar();
        assertThat(Files.size(jar)).isLessThan(LARGEST);
        try (var file = new JarFile(jar.toFile())) {
            assertThat(file.stream()
                            .map(Object::toString)
                            .filter(name -> name.matches("org/apache/.*|io/(?!millrace/).+")))
                    .isEmpty();
        }
        assertThat(run(jar, "--version")).matches("millrace [0-9]+\\.[0-9]+\\S*\n");
        Path domains = Files.writeString(home.resolve("domains.csv"), "n,domain\n1,\"a.example\"\n");
        assertThat(run(jar, "validate", "demographics", "--key=k", "--show", "--domains=@" + domains))
                .contains("\"a.example\"");
        try (var service =
                TestService.start().on("GET /v3/batch/credits", TestService.json(200, "{\"remaining_credits\":7}"))) {
            assertThat(run(jar, "credits", "--key=k", "--url=" + service.url())).isEqualTo("7 credits left\n");
        }
    }

    private static Path jar() throws IOException {
        try (Stream<Path> files = Files.list(Path.of("target"))) {
            return files.filter(f -> f.getFileName().toString().matches("millrace-cli-.*\\.jar"))
                    .findFirst()
                    .orElseThrow();
        }
    }

    private String run(Path jar, String... arguments) throws Exception {
        List<String> java =
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-jar", jar.toString());
        var builder = new ProcessBuilder(
                        Stream.concat(java.stream(), Stream.of(arguments)).toList())
                .redirectErrorStream(true);
        builder.environment().put("HOME", home.toString());
        Process process = builder.start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
        return output;
    }
}
