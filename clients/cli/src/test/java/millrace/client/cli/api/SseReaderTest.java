package millrace.client.cli.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class SseReaderTest {
    @Test
    void readsEventsWhateverEndsTheirLines() throws IOException {
        SseReader reader = reader(
                ": hello\r\n\r\nevent:report\rdata: one\rdata:two\rid: 7\r\rdata\n\nid: 8\nunknown: x\ndata: é\n\n");
        assertThat(reader.next()).isEqualTo(new SseReader.Event("report", "one\ntwo"));
        assertThat(reader.position()).isEqualTo("7");
        assertThat(reader.next()).isEqualTo(new SseReader.Event("message", ""));
        assertThat(reader.next()).isEqualTo(new SseReader.Event("message", "é"));
        assertThat(reader.position()).isEqualTo("8");
        assertThat(reader.next()).isNull();
    }

    @Test
    void anIdCountsWhenItsEventIsWhole() throws IOException {
        SseReader reader = reader("id: 1\n\nid: 2\ndata: half");
        assertThat(reader.next()).isNull();
        assertThat(reader.position()).isEqualTo("1");
    }

    @Test
    void readsHowLongToWait() throws IOException {
        SseReader reader = reader("retry: 1500\nretry: soon\n\n");
        assertThat(reader.next()).isNull();
        assertThat(reader.retry()).isEqualTo(Duration.ofMillis(1500));
    }

    @Test
    void aLineHasAnEnd() {
        assertThatThrownBy(() -> reader("data: " + "x".repeat(1 << 20)).next()).hasMessageContaining("longer than");
        assertThatThrownBy(
                        () -> reader("data: 0123456789abcdef\n".repeat(1 << 17)).next())
                .hasMessageContaining("longer than");
    }

    private static SseReader reader(String text) {
        return new SseReader(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)), "");
    }
}
