package millrace.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ControlFileTest {
    @TempDir
    private Path folder;

    @Test
    void replacesTheFileAndLeavesNothingElse() throws IOException {
        Path file = folder.resolve("a/b/pointer");
        ControlFile.write(file, "v1\n");
        ControlFile.write(file, "v2\n");
        assertThat(file).hasContent("v2\n");
        assertThat(files(folder.resolve("a/b"))).containsExactly("pointer");
    }

    @Test
    void bytesThatAreNoTextAreReadAsNothing() throws IOException {
        Path file = folder.resolve("pointer");
        ControlFile.write(file, " é1\n");
        assertThat(ControlFile.read(file)).isEqualTo("é1");
        Files.write(file, new byte[] {'v', (byte) 0xC3, '1'});
        assertThat(ControlFile.read(file)).isEmpty();
        assertThatThrownBy(() -> ControlFile.read(folder.resolve("none"))).isInstanceOf(NoSuchFileException.class);
    }

    /** The pointer before is still there where the disk is full or, as here, something is in the way. */
    @Test
    void aWriteThatFailsLeavesNothing() throws IOException {
        Path inTheWay = folder.resolve("pointer");
        Files.createDirectories(inTheWay.resolve("x"));
        assertThatThrownBy(() -> ControlFile.write(inTheWay, "v1")).isInstanceOf(IOException.class);
        assertThat(files(folder)).containsExactly("pointer");
    }

    @Test
    void aSecretIsForItsOwnerAndIsNotCreatedTwice() throws IOException {
        Path file = folder.resolve("secret");
        ControlFile.createSecret(file, bytes("first"));
        ControlFile.createSecret(file, bytes("second"));
        assertThat(file).hasContent("first");
        assertThat(permissions(file)).isEqualTo("rw-------");

        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
        ControlFile.writeSecret(file, "third");
        assertThat(file).hasContent("third");
        assertThat(permissions(file)).isEqualTo("rw-------");
        assertThat(files(folder)).containsExactly("secret");
    }

    @Test
    void whoReadsMeanwhileFindsOneOfTheContents() throws Exception {
        Path file = folder.resolve("pointer");
        List<String> contents = List.of("a".repeat(10_000), "b".repeat(20_000));
        ControlFile.write(file, contents.getFirst());
        var written = new AtomicBoolean();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<?> reads = threads.submit(() -> {
                while (!written.get()) {
                    assertThat(contents).contains(Files.readString(file));
                }
                return null;
            });
            for (int i = 0; i < 200; i++) {
                ControlFile.write(file, contents.get(i % 2));
            }
            written.set(true);
            reads.get();
        }
    }

    private static List<String> files(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString()).toList();
        }
    }

    private static String permissions(Path file) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
