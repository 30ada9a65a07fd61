package millrace.processor.data.importing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InputFileTest {
    private static final Duration LONG = Duration.ofSeconds(30);

    @TempDir
    private Path folder;

    @Test
    void readsFiles() throws IOException {
        Path file = Files.writeString(folder.resolve("file"), "text");
        assertThat(read(file)).isEqualTo("text");
        assertThatThrownBy(() -> InputFile.open(folder.resolve("none"), LONG)).isInstanceOf(NoSuchFileException.class);
    }

    @Test
    void waitsForWhoeverWritesToAPipeAndNotForEver() throws Exception {
        Path pipe = folder.resolve("pipe");
        assumeThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor())
                .isZero();
        Thread writer = Thread.ofPlatform().daemon().start(() -> {
            try {
                Files.writeString(pipe, "text");
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        });
        assertThat(read(pipe)).isEqualTo("text");
        writer.join();
        assertThatThrownBy(() -> InputFile.open(pipe, Duration.ofMillis(50)))
                .isInstanceOf(IOException.class)
                .hasMessage("nobody has written to this pipe for 0 s");
    }

    private static String read(Path file) throws IOException {
        try (InputStream in = InputFile.open(file, LONG)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
