package millrace.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LinkSecretTest {
    private final SecureRandom random = new SecureRandom();

    @TempDir
    private Path folder;

    @Test
    void theSecretIsMadeOnceForItsOwnerAlone() throws IOException {
        Path file = folder.resolve("new/link-secret");
        byte[] first = LinkSecret.load(file, random);
        assertThat(first).hasSize(32).isEqualTo(LinkSecret.load(file, random));
        assertThat(Files.getPosixFilePermissions(file))
                .extracting(Enum::name)
                .containsExactlyInAnyOrder("OWNER_READ", "OWNER_WRITE");
    }

    @Test
    void allThatStartTogetherGetTheSame() throws Exception {
        Path file = folder.resolve("link-secret");
        List<Future<byte[]>> loads = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 16; i++) {
                loads.add(threads.submit(() -> LinkSecret.load(file, random)));
            }
        }
        List<String> secrets = new ArrayList<>();
        for (Future<byte[]> load : loads) {
            secrets.add(HexFormat.of().formatHex(load.get()));
        }
        assertThat(Set.copyOf(secrets)).hasSize(1);
        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files.map(f -> String.valueOf(f.getFileName())).collect(Collectors.toList()))
                    .containsExactly("link-secret");
        }
    }

    /** A power cut may have left 0 of them. */
    @ParameterizedTest
    @ValueSource(ints = {0, 31})
    void aFileThatIsTooShortIsNamedAndLeft(int bytes) throws IOException {
        Path file = Files.write(folder.resolve("link-secret"), new byte[bytes]);
        assertThatThrownBy(() -> LinkSecret.load(file, random))
                .hasMessageContaining(file + " is damaged: it has " + bytes + " bytes")
                .hasMessageContaining("Restore it from a copy; or delete it, and download links");
        assertThat(file).hasSize(bytes);
    }
}
