package millrace.standalone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import millrace.runtime.settings.SettingsException;
import millrace.standalone.folder.DataFolder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KafkaPortTest {
    @TempDir
    Path folder;

    private DataFolder data;

    @BeforeEach
    void open() {
        data = DataFolder.open(folder);
    }

    @AfterEach
    void close() throws IOException {
        data.close();
    }

    @Test
    void isTheSameAtTheNextStart() {
        KafkaPort first = choose(0, true);
        assertThat(first.taken()).isEmpty();
        assertThat(first.number()).isPositive();
        assertThat(choose(0, true)).isEqualTo(first);
        assertThat(choose(0, false)).isEqualTo(first);
        assertThat(first.address()).isEqualTo("127.0.0.1:" + first.number());
    }

    @Test
    void begins9092OrNextToIt() {
        KafkaPort first = choose(0, false);
        assertThat(first.number()).isBetween(9092, 9192);
        assertThat(first.taken().isPresent()).isEqualTo(first.number() != 9092);
        assertThat(choose(0, false).number()).as("another start finds it again").isEqualTo(first.number());
    }

    @Test
    void standsInForOneThatIsTakenAndReturnsToIt() throws IOException {
        int usual = choose(0, true).number();
        try (var other = new ServerSocket(usual, 1, InetAddress.getLoopbackAddress())) {
            KafkaPort now = choose(0, false);
            assertThat(now.number()).isNotEqualTo(other.getLocalPort());
            assertThat(now.taken()).hasValue(usual);
            assertThat(WelcomeMessage.kafka(now)).contains(now.address() + "    (not " + usual + ", which is taken");
        }
        assertThat(choose(0, false).number()).isEqualTo(usual);
        assertThat(KafkaPort.choose(data, 0, false, List.of(usual)).number())
                .as("another part of the process will have it")
                .isNotEqualTo(usual);
    }

    @Test
    void theSettingsWinAndAreRemembered() throws IOException {
        int wanted = choose(0, true).number();
        Files.delete(data.kafkaPort());
        assertThat(choose(wanted, false).number()).isEqualTo(wanted);
        assertThat(choose(0, false).number()).isEqualTo(wanted);
        try (var other = new ServerSocket(wanted, 1, InetAddress.getLoopbackAddress())) {
            assertThatThrownBy(() -> choose(other.getLocalPort(), false)).isInstanceOf(SettingsException.class);
        }
    }

    @Test
    void somethingElseInTheFileIsForgotten() throws IOException {
        for (String content : List.of("nonsense", "9092\u00FF")) {
            Files.writeString(data.kafkaPort(), content, StandardCharsets.ISO_8859_1);
            assertThat(choose(0, true).number()).isPositive();
            assertThat(Files.readString(data.kafkaPort())).matches("[0-9]+\n");
        }
    }

    private KafkaPort choose(int wanted, boolean any) {
        return KafkaPort.choose(data, wanted, any, List.of());
    }
}
