package millrace.runtime.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SettingsTest {
    record Mill(
            @Setting(value = "8080", first = true, doc = "port")
            int port,

            @Setting(
                    value = "5s",
                    formerly = {"mill.wait", "mill.patience"},
                    doc = "how long")
            Duration timeout,

            @Setting(value = "1s, 2m", doc = "pauses") List<Duration> pauses,
            @Setting(doc = "where") Path folder,
            @Setting(doc = "ranges") List<String> ranges,
            @Setting(doc = "a name") @Nullable String name,
            Wheel wheel,
            Water water) {
        Mill {
            if (port > 65535) {
                throw new IllegalArgumentException("port must be at most 65535, not " + port);
            }
        }
    }

    record Wheel(
            @Setting(value = "true", advanced = true, doc = "turns")
            boolean turning) {}

    @SharedSection("water")
    record Water(
            @Setting(value = "3", formerly = "mill.depth", doc = "in feet")
            int depth) {}

    private static final Map<String, Class<?>> SECTIONS =
            Map.of("mill", Mill.class, KafkaSettings.PREFIX, KafkaSettings.class);

    @TempDir
    Path folder;

    @Test
    void theCommandLineWinsOverTheEnvironmentOverTheFileOverTheDefault() throws IOException {
        Path file = Files.writeString(folder.resolve("mill.yaml"), """
                mill:
                  port: 1
                  folder: /from/file
                  ranges: [10.0.0.0/8, 127.0.0.0/8]
                  wheel: {turning: false}
                """);
        Settings settings = Settings.load(
                SECTIONS,
                file,
                // Address and key are those of the clients' commands.
                Map.of(
                        "MILLRACE_MILL_FOLDER",
                        "/from/environment",
                        "MILLRACE_MILL_PORT",
                        "2",
                        "MILLRACE_URL",
                        "http://127.0.0.1:8080",
                        "MILLRACE_KEY",
                        "key",
                        "PATH",
                        "/bin"),
                Map.of("mill.port", "3"));
        assertThat(settings.section("mill", Mill.class))
                .isEqualTo(new Mill(
                        3,
                        Duration.ofSeconds(5),
                        List.of(Duration.ofSeconds(1), Duration.ofMinutes(2)),
                        Path.of("/from/environment"),
                        List.of("10.0.0.0/8", "127.0.0.0/8"),
                        null,
                        new Wheel(false),
                        new Water(3)));
    }

    @Test
    void kafkaClientPropertiesGoThrough() {
        KafkaSettings kafka = Settings.load(
                        SECTIONS,
                        null,
                        Map.of("MILLRACE_KAFKA_CLIENT_SASL_MECHANISM", "PLAIN"),
                        Map.of(
                                "kafka.bootstrap.servers",
                                "k:1",
                                "kafka.client.security.protocol",
                                "SSL",
                                "kafka.client.request.timeout.ms",
                                "7000"))
                .kafka();
        assertThat(kafka.clientConfig())
                .as("also over what every client has by itself")
                .containsAllEntriesOf(Map.of(
                        "bootstrap.servers",
                        "k:1",
                        "security.protocol",
                        "SSL",
                        "sasl.mechanism",
                        "PLAIN",
                        "request.timeout.ms",
                        "7000"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            mill.prot         | 1     | unknown setting mill.prot on the command line; did you mean mill.port?
            mill.port         | x     | setting mill.port is a whole number, not "x"
            mill.port         | 70000 | setting mill.folder is missing
            mill.timeout      | 5     | setting mill.timeout is a duration like 500ms, 5s, 10m, 2h or 30d, not "5"
            mill.pauses       | 1s,x  | setting mill.pauses is a duration like 500ms, 5s, 10m, 2h or 30d, not "x"
            mill.timeout      | 7s    | setting mill.folder is missing
            """)
    void saysWhatIsWrong(String key, String value, String message) {
        assertThatThrownBy(() -> Settings.load(SECTIONS, null, Map.of(), Map.of(key, value))
                        .section("mill", Mill.class))
                .isInstanceOf(SettingsException.class)
                .hasMessage(message);
    }

    @Test
    void aRecordChecksItself() {
        assertThatThrownBy(
                        () -> Settings.load(SECTIONS, null, Map.of(), Map.of("mill.port", "70000", "mill.folder", "x"))
                                .section("mill", Mill.class))
                .hasMessage("setting mill: port must be at most 65535, not 70000");
    }

    @Test
    void aRenamedSettingIsReadByItsFormerName() {
        for (Settings settings : List.of(
                Settings.load(SECTIONS, null, Map.of("MILLRACE_MILL_FOLDER", "x"), Map.of("mill.wait", "7s")),
                Settings.load(
                        SECTIONS, null, Map.of("MILLRACE_MILL_FOLDER", "x", "MILLRACE_MILL_WAIT", "7s"), Map.of()))) {
            assertThat(settings.section("mill", Mill.class).timeout()).isEqualTo(Duration.ofSeconds(7));
        }
        assertThat(Settings.help(SECTIONS, true)).contains("mill.timeout").doesNotContain("mill.wait");
    }

    @Test
    void twoFormerNamesOfOneSettingMustAgree() {
        assertThat(loaded(Map.of("mill.folder", "x", "mill.wait", "7s", "mill.patience", "7s"))
                        .timeout())
                .isEqualTo(Duration.ofSeconds(7));
        assertThatThrownBy(() -> loaded(Map.of("mill.folder", "x", "mill.wait", "7s", "mill.patience", "8s")))
                .isInstanceOf(SettingsException.class)
                .hasMessageStartingWith(
                        "setting mill.timeout has two values on the command line, one of them as mill.");
    }

    private static Mill loaded(Map<String, String> arguments) {
        return Settings.load(SECTIONS, null, Map.of(), arguments).section("mill", Mill.class);
    }

    @Test
    void aSharedSectionHasItsOwnPrefix() {
        assertThat(loaded(Map.of("mill.folder", "x", "water.depth", "5"))
                        .water()
                        .depth())
                .isEqualTo(5);
        assertThat(loaded(Map.of("mill.folder", "x", "mill.depth", "5")).water().depth())
                .isEqualTo(5);
        assertThatThrownBy(() -> loaded(Map.of("mill.water.depth", "5")))
                .hasMessageContaining("did you mean water.depth?");
        assertThat(Settings.declared(Map.of("mill", Mill.class, "other", Mill.class)))
                .filteredOn(setting -> setting.name().equals("water.depth"))
                .hasSize(1);
    }

    @Test
    void anUnknownVariableIsAnError() {
        assertThatThrownBy(() -> Settings.load(SECTIONS, null, Map.of("MILLRACE_MILL_PROT", "1"), Map.of()))
                .hasMessage("unknown setting MILLRACE_MILL_PROT in the environment; did you mean MILLRACE_MILL_PORT?");
    }

    @Test
    void aVariableMayNameAFileThatHasTheValue() throws IOException {
        Path port = Files.writeString(folder.resolve("port"), "4711\n");
        Path password = Files.writeString(folder.resolve("jaas"), "user:secret");
        Settings settings = Settings.load(
                SECTIONS,
                null,
                Map.of(
                        "MILLRACE_MILL_PORT_FILE",
                        port.toString(),
                        "MILLRACE_MILL_FOLDER",
                        "/somewhere",
                        "MILLRACE_KAFKA_CLIENT_SASL_JAAS_CONFIG_FILE",
                        password.toString()),
                Map.of());
        assertThat(settings.section("mill", Mill.class).port()).isEqualTo(4711);
        assertThat(settings.kafka().client()).isEqualTo(Map.of("sasl.jaas.config", "user:secret"));
    }

    @Test
    void aFileThatCannotBeReadAndAValueGivenTwiceAreOneLine() {
        Path missing = folder.resolve("none");
        assertThatThrownBy(() ->
                        Settings.load(SECTIONS, null, Map.of("MILLRACE_MILL_PORT_FILE", missing.toString()), Map.of()))
                .isInstanceOf(SettingsException.class)
                .hasMessageStartingWith("MILLRACE_MILL_PORT_FILE names " + missing + ", which cannot be read");
        assertThatThrownBy(() -> Settings.load(
                        SECTIONS,
                        null,
                        Map.of("MILLRACE_MILL_PORT", "1", "MILLRACE_MILL_PORT_FILE", missing.toString()),
                        Map.of()))
                .hasMessage(
                        "MILLRACE_MILL_PORT and MILLRACE_MILL_PORT_FILE are both in the environment; give one of them");
        assertThatThrownBy(() ->
                        Settings.load(SECTIONS, null, Map.of("MILLRACE_MILL_PROT_FILE", missing.toString()), Map.of()))
                .hasMessageStartingWith("unknown setting MILLRACE_MILL_PROT_FILE in the environment");
    }

    @Test
    void aMissingOrBrokenFileIsOneLine() throws IOException {
        Path missing = folder.resolve("none.yaml");
        assertThatThrownBy(() -> Settings.load(SECTIONS, missing, Map.of(), Map.of()))
                .hasMessage("settings file " + missing + " does not exist");
        Path broken = Files.writeString(folder.resolve("broken.yaml"), "mill: [\n");
        assertThatThrownBy(() -> Settings.load(SECTIONS, broken, Map.of(), Map.of()))
                .isInstanceOf(SettingsException.class)
                .hasMessageStartingWith("settings file " + broken + " is not YAML: ");
    }

    @Test
    void otherDefaultsLoseAgainstWhatIsSet() {
        Mill mill = Settings.load(SECTIONS, null, Map.of(), Map.of("mill.port", "1"))
                .withDefaults(Map.of("mill.port", "2", "mill.folder", "/default"))
                .section("mill", Mill.class);
        assertThat(mill.port()).isEqualTo(1);
        assertThat(mill.folder()).isEqualTo(Path.of("/default"));
    }

    @Test
    void aProgramCannotSetWhatDoesNotExistEither() {
        Settings settings = Settings.load(SECTIONS, null, Map.of(), Map.of());
        assertThatThrownBy(() -> settings.withDefaults(Map.of("mill.prot", "1")))
                .hasMessage("unknown setting mill.prot in the program; did you mean mill.port?");
    }

    @Test
    void helpShowsEachSettingWithItsDefault() {
        assertThat(Settings.help(Map.of("mill", Mill.class), false))
                .contains("mill.port")
                .contains("[8080]")
                .doesNotContain("mill.wheel.turning", "mill.pauses");
        assertThat(Settings.help(Map.of("mill", Mill.class), true)).contains("mill.wheel.turning", "mill.pauses");
    }

    @Test
    void helpFindsSettingsByTheirNamesAndWhatTheyDo() {
        assertThat(Settings.find(SECTIONS, "How Long")).contains("mill.timeout").doesNotContain("mill.port");
        assertThat(Settings.find(SECTIONS, "wheel")).contains("mill.wheel.turning");
        assertThat(Settings.find(SECTIONS, "sail")).isEmpty();
    }
}
