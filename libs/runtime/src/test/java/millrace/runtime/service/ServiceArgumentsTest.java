package millrace.runtime.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ServiceArgumentsTest {
    @Test
    void readsSettingsWithAndWithoutEqualsSign() {
        assertThat(parse("--config", "a.yaml", "--port=1", "--mill.wheel", "false"))
                .isEqualTo(new ServiceArguments(
                        null, false, false, Path.of("a.yaml"), Map.of("mill.port", "1", "mill.wheel", "false")));
    }

    @Test
    void helpIsHelp() {
        assertThat(parse("--help").help()).isEmpty();
        assertThat(parse("-h", "--port", "1").help()).isEmpty();
        assertThat(parse("--help", "disk").help()).isEqualTo("disk");
        assertThat(parse("--port", "1").help()).isNull();
        assertThat(parse("--help-all").helpAll()).isTrue();
    }

    @Test
    void versionIsNoSetting() {
        assertThat(parse("--version", "--port", "1"))
                .isEqualTo(new ServiceArguments(null, false, true, null, Map.of("mill.port", "1")));
    }

    @Test
    void aNameAloneMeansTrue() {
        assertThat(parse("--mill.wheel", "--fast").settings()).isEqualTo(Map.of("mill.wheel", "true", "fast", "true"));
    }

    @Test
    void refusesWhatIsNotASetting() {
        assertThatThrownBy(() -> parse("port")).hasMessage("unknown argument port; try --help");
        assertThatThrownBy(() -> parse("--")).hasMessage("unknown argument --; try --help");
    }

    private static ServiceArguments parse(String... arguments) {
        return ServiceArguments.parse(arguments, Map.of("port", "mill.port"));
    }
}
