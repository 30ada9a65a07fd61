package millrace.e2e.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import millrace.e2e.data.DemoDataFolder;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;

/**
 * One Millrace with the demo data for the test classes that need none of their own. It starts with the first of them and
 * ends with the last test. One class counts the credits of the demo account; others make accounts of their own.
 */
public final class SharedMillrace implements BeforeAllCallback {
    private static final Namespace NAMESPACE = Namespace.create(SharedMillrace.class);

    private @Nullable Running running;

    private record Running(Path data, MillraceProcess process) implements AutoCloseable {
        static Running start() {
            try {
                Path data = DemoDataFolder.create(
                        Files.createTempDirectory("millrace-shared").resolve("data"));
                String[] arguments =
                        DemoDataFolder.arguments("--gateway.requests-per-second=1000", "--management.port=0");
                return new Running(data, MillraceProcess.start(data, arguments));
            } catch (IOException e) {
                throw new IllegalStateException("Millrace cannot be started", e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException(e);
            }
        }

        @Override
        public void close() throws IOException, InterruptedException {
            process.kill();
            List<Path> files;
            try (Stream<Path> all = Files.walk(Objects.requireNonNull(data.getParent()))) {
                files = all.sorted(Comparator.reverseOrder()).toList();
            }
            for (Path file : files) {
                Files.delete(file);
            }
        }
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        running = context.getRoot()
                .getStore(NAMESPACE)
                .getOrComputeIfAbsent(Running.class, key -> Running.start(), Running.class);
    }

    public MillraceProcess process() {
        return Objects.requireNonNull(running).process();
    }

    /** Its data folder. */
    public Path data() {
        return Objects.requireNonNull(running).data();
    }
}
