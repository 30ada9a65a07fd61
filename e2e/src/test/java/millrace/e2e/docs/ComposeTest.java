package millrace.e2e.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.yaml.snakeyaml.Yaml;

/** What the containers of docker-compose.yml see of each other's files, and which of them a machine without images starts. */
class ComposeTest {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final Pattern FILE = Pattern.compile("/(?:data|run/millrace)/([\\w./-]+)");
    /** What a service gets; a change of it is worth a look. */
    private static final Map<String, List<String>> GIVEN = Map.of(
            "gateway",
            List.of(
                    "accounts.yaml",
                    "secrets/accounts-key",
                    "secrets/admin-key",
                    "secrets/link-secret",
                    "secrets/s3-access-key",
                    "secrets/s3-secret-key",
                    "secrets/statement-key"),
            "processor",
            List.of("secrets/link-secret", "secrets/s3-access-key", "secrets/s3-secret-key"),
            "notifier",
            List.of("accounts.yaml", "secrets/accounts-key"),
            "storage",
            List.of("secrets/s3-access-key", "secrets/s3-secret-key"));

    @TempDir
    Path folder;

    @BeforeEach
    void programs() throws IOException {
        Files.createDirectories(folder.resolve("bin"));
    }

    @Test
    void eachServiceMountsItsOwnFilesAlone() throws IOException {
        Map<String, List<String>> named = new TreeMap<>();
        services("docker-compose.yml").forEach((name, service) -> {
            String kind = name.replaceAll("-\\d$", "");
            List<String> volumes = strings(service.get("volumes")).stream()
                    .map(volume -> volume.split(":", 2)[0])
                    .filter(volume -> volume.equals("data") || volume.endsWith("-data"))
                    .toList();
            if (name.equals("prepare")) {
                assertThat(volumes)
                        .containsExactlyInAnyOrderElementsOf(Stream.concat(
                                        Stream.of("data"),
                                        GIVEN.keySet().stream().map(given -> given + "-data"))
                                .toList());
            } else {
                assertThat(volumes).as(name).isEqualTo(GIVEN.containsKey(kind) ? List.of(kind + "-data") : List.of());
                var files = new TreeSet<String>();
                FILE.matcher(service.get("environment") + " " + service.get("entrypoint"))
                        .results()
                        .forEach(match -> files.add(match.group(1)));
                if (!volumes.isEmpty()) {
                    named.put(kind, List.copyOf(files));
                }
            }
        });
        assertThat(named).as("files that the services are told to read").isEqualTo(new TreeMap<>(GIVEN));
    }

    @Test
    void prepareGivesEachServiceWhatItNeeds() throws Exception {
        program(
                "java",
                "printf 'accounts: []\\n' >\"$ROOT/data/accounts.yaml\"; echo key >\"$ROOT/data/demo-keys.yaml\"");
        Files.createDirectories(folder.resolve("data/grafana"));
        assertThat(prepare()).isZero();
        for (var given : GIVEN.entrySet()) {
            Path to = folder.resolve("give").resolve(given.getKey());
            assertThat(files(to)).as(given.getKey()).isEqualTo(given.getValue());
            for (String file : given.getValue()) {
                assertThat(to.resolve(file))
                        .hasSameBinaryContentAs(folder.resolve("data").resolve(file));
                assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(to.resolve(file))))
                        .isEqualTo("rw-------");
            }
        }

        Path key = folder.resolve("data/secrets/accounts-key");
        String before = Files.readString(key);
        Path other = Files.writeString(folder.resolve("data/secrets/accounts-key.other"), "another");
        assertThat(prepare()).isZero();
        assertThat(key).hasContent(before);
        assertThat(folder.resolve("give/notifier/secrets/accounts-key.other")).hasContent("another");
        Files.delete(other);
        assertThat(prepare()).isZero();
        assertThat(folder.resolve("give/notifier/secrets/accounts-key.other")).doesNotExist();

        Files.writeString(key, "");
        assertThat(prepare())
                .as("no new key is made in place of one that is lost")
                .isEqualTo(1);
        assertThat(key).isEmptyFile();
        assertThat(folder.resolve("give/notifier/secrets/accounts-key")).hasContent(before);
    }

    /** Those that a profile turns off are named by {@code config --services} of docker-compose 1.29, as here. */
    @Test
    void theClusterOfStandInsStartsWhatHasAnImage() throws Exception {
        program("docker", "[ \"$1 $2\" != 'compose version' ]");
        program("curl", "echo UP");
        program("docker-compose", """
                echo "$*" >>"$ROOT/calls"
                case "$*" in
                  *'config --services') sed -n 's/^  \\([a-z0-9-]*\\):.*/\\1/p' docker-compose.yml ;;
                  *' logs '*) printf 'batch key 0123\\nwebhook secret whsec_0\\n' ;;
                esac""");
        assertThat(run(ROOT.resolve("e2e/cluster").toString(), "--stand-ins", "up"))
                .isZero();
        List<String> started = Files.readAllLines(folder.resolve("calls")).stream()
                .filter(call -> call.contains(" up "))
                .toList();
        assertThat(started).hasSize(1);
        String names = started.getFirst().replaceAll(".* up -d", "").strip();
        assertThat(names.isEmpty() ? onWithoutAProfile() : List.of(names.split(" ", -1)))
                .contains("gateway-1", "prometheus")
                .doesNotContain("trino", "grafana");
    }

    private static List<String> onWithoutAProfile() {
        try {
            var services = services("docker-compose.yml");
            services("e2e/stand-ins/compose.yml")
                    .forEach((name, more) -> services.merge(name, more, (one, two) -> {
                        Map<String, Object> both = new TreeMap<>(one);
                        both.putAll(two);
                        return both;
                    }));
            return services.entrySet().stream()
                    .filter(service -> !service.getValue().containsKey("profiles"))
                    .map(Map.Entry::getKey)
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private int prepare() throws Exception {
        return run("/bin/sh", ROOT.resolve("docker/prepare.sh").toString());
    }

    private int run(String... command) throws Exception {
        var builder = new ProcessBuilder(command).inheritIO();
        builder.environment().put("ROOT", folder.toString());
        builder.environment().merge("PATH", folder.resolve("bin").toString(), (path, bin) -> bin + ":" + path);
        return builder.start().waitFor();
    }

    /** A program of this name that the script finds first. */
    private void program(String name, String script) throws IOException {
        Path file = Files.writeString(folder.resolve("bin").resolve(name), "#!/bin/bash\n" + script + "\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
    }

    @SuppressWarnings("unchecked") // YAML
    private static Map<String, Map<String, Object>> services(String file) throws IOException {
        Map<String, Object> document = new Yaml().load(Files.readString(ROOT.resolve(file)));
        return new TreeMap<>((Map<String, Map<String, Object>>) document.get("services"));
    }

    private static List<String> strings(@Nullable Object list) {
        List<String> strings = new ArrayList<>();
        if (list instanceof List<?> some) {
            some.forEach(one -> strings.add(String.valueOf(one)));
        }
        return strings;
    }

    private static List<String> files(Path folder) throws IOException {
        try (Stream<Path> found = Files.walk(folder)) {
            return found.filter(Files::isRegularFile)
                    .map(file -> folder.relativize(file).toString())
                    .sorted()
                    .toList();
        }
    }
}
