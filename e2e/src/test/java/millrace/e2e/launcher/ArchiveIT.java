package millrace.e2e.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import millrace.contracts.Json;
import millrace.e2e.data.DemoDataFolder;
import millrace.e2e.data.DemoRequests;
import millrace.e2e.process.BatchApiClient;
import millrace.e2e.process.LauncherScript;
import millrace.e2e.process.MillraceProcess;
import millrace.e2e.process.ProcessResult;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** What {@code mvn -Pdist package} makes, where there is a JDK and neither Maven nor sources. */
@EnabledIfSystemProperty(named = "archive", matches = ".+")
class ArchiveIT {
    @Test
    void runsWithAJdkAlone(@TempDir Path home) throws Exception {
        Path release = unpack(home);
        Map<String, String> environment = LauncherScript.withoutMaven(home);
        Path data = DemoDataFolder.create(Files.createDirectory(home.resolve("data")));
        List<String> script = new ArrayList<>(List.of("/usr/bin/env"));
        environment.forEach((name, value) -> script.add(name + "=" + value));
        script.addAll(List.of("/bin/bash", release.resolve("millrace").toString()));
        try (var millrace = MillraceProcess.start(script, data, DemoDataFolder.arguments())) {
            BatchApiClient api = BatchApiClient.of(millrace, millrace.batchKey());
            assertThat(api.ended(api.submit("demographics", DemoRequests.small(0)))
                            .text("status"))
                    .isEqualTo("complete");
            assertThat(typed(script, "admin", "accounts", "--data=" + data)).contains("demo");
            assertThat(typed(script, "versions", "--data=" + data)).contains("demographics");
            assertThat(typed(script, "import", "keywords", "--columns", "--data=" + data))
                    .contains("keyword");
            millrace.checkStop();
        }
    }

    @Test
    void hasTheLicencesOfAllThatIsInIt(@TempDir Path home) throws Exception {
        Path release = unpack(home);
        assertThat(release.resolve("LICENSE")).exists();
        assertThat(release.resolve("README.md")).exists();
        String thirdParty = Files.readString(release.resolve("THIRD-PARTY.txt"));
        String components = Files.readString(release.resolve("bom.json"));
        assertThat(Json.MAPPER.readTree(components).path("bomFormat").asText()).isEqualTo("CycloneDX");
        try (Stream<Path> libraries = Files.list(release.resolve("app/lib"))) {
            assertThat(libraries.map(library -> library.getFileName().toString()))
                    .hasSizeGreaterThan(50)
                    .allSatisfy(library -> {
                        String name = library.replaceFirst("-[0-9][^-]*(-[a-z0-9-]+)?\\.jar$", "");
                        assertThat(thirdParty).contains(":" + name + ":");
                        assertThat(components).contains("/" + name + "@");
                    });
        }
        try (Stream<Path> texts = Files.list(release.resolve("licences"))) {
            assertThat(texts).hasSizeGreaterThan(50);
        }
    }

    private static Path unpack(Path home) throws Exception {
        ProcessResult unpacked = ProcessResult.run(
                List.of("tar", "-xzf", System.getProperty("archive"), "-C", home.toString()), Map.of());
        assertThat(unpacked.code()).as("%s", unpacked).isZero();
        try (Stream<Path> release = Files.list(home)) {
            return release.findFirst().orElseThrow();
        }
    }

    private static String typed(List<String> script, String... arguments) throws Exception {
        List<String> command = new ArrayList<>(script);
        command.addAll(List.of(arguments));
        ProcessResult ended = ProcessResult.run(command, Map.of());
        assertThat(ended.code()).as("%s", ended).isZero();
        return ended.out();
    }
}
