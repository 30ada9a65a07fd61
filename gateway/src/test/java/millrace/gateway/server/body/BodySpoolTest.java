package millrace.gateway.server.body;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BodySpoolTest {

    @ParameterizedTest
    @ValueSource(ints = {0, 1, BodySpool.IN_MEMORY, BodySpool.IN_MEMORY + 1, 3 * BodySpool.IN_MEMORY})
    void givesBackWhatWasWrittenAndLeavesNothing(int size, @TempDir Path folder) throws IOException {
        byte[] bytes = new byte[size];
        new Random(size).nextBytes(bytes);
        try (var spool = new BodySpool(folder)) {
            for (int at = 0; at < size; at += 1_000) {
                spool.write(bytes, at, Math.min(1_000, size - at));
            }
            assertThat(files(folder)).hasSize(size > BodySpool.IN_MEMORY ? 1 : 0);
            try (InputStream read = spool.read()) {
                assertThat(read.readAllBytes()).isEqualTo(bytes);
            }
            try (InputStream again = spool.read()) {
                assertThat(again.readAllBytes()).isEqualTo(bytes);
            }
        }
        assertThat(files(folder)).isEmpty();
    }

    @Test
    void aFileThatCannotBeWrittenIsNoFaultOfTheClient(@TempDir Path folder) {
        try (var spool = new BodySpool(folder.resolve("missing"))) {
            byte[] bytes = new byte[BodySpool.IN_MEMORY + 1];
            assertThatThrownBy(() -> spool.write(bytes, 0, bytes.length))
                    .isInstanceOf(BodySpool.UnusableException.class);
        }
    }

    private static List<Path> files(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.toList();
        }
    }
}
