package millrace.files.disk;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import millrace.contracts.Hashes;
import millrace.contracts.reports.StoredFile;
import millrace.files.store.ReportFileWriter;
import millrace.files.store.ReportStore;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DiskReportStoreTest {
    private static final Instant NOW = Instant.parse("2026-11-02T08:00:00Z");

    @TempDir
    private Path root;

    private ReportStore store;

    @BeforeEach
    void open() throws IOException {
        store = new DiskReportStore(root, false);
    }

    @Test
    void aCommittedFileHasItsSizeAndHash() throws IOException {
        StoredFile file = write("r/1/0-a", "one,two\r\n");

        assertThat(file).isEqualTo(new StoredFile("r/1/0-a", 9, Hashes.sha256("one,two\r\n")));
        assertThat(text("r/1/0-a")).isEqualTo("one,two\r\n");
        assertThat(store.list()).containsExactly("r/1/0-a");
        assertThat(allFiles()).hasSize(1);
    }

    @Test
    void singleBytesAreCountedToo() throws IOException {
        try (ReportFileWriter out = store.create("a")) {
            out.write('x');
            out.write('y');
            assertThat(out.size()).isEqualTo(2);
            assertThat(out.commit().sha256()).isEqualTo(Hashes.sha256("xy"));
        }
    }

    @Test
    void withFsyncTheFileIsTheSame() throws IOException {
        store = new DiskReportStore(root, true);
        assertThat(write("r/2/0-b", "text").sha256()).isEqualTo(Hashes.sha256("text"));
        assertThat(text("r/2/0-b")).isEqualTo("text");
    }

    @Test
    void nothingIsSeenBeforeTheCommitNorLeftWithoutOne() throws IOException {
        try (ReportFileWriter out = store.create("r/1/0-a")) {
            out.write("half".getBytes(UTF_8));
            assertThat(store.exists("r/1/0-a")).isFalse();
            assertThat(store.list()).isEmpty();
        }
        assertThat(allFiles()).isEmpty();
    }

    @Test
    void aClosedWriterTakesNothing() throws IOException {
        ReportFileWriter out = store.create("a");
        out.commit();
        out.close();
        assertThatThrownBy(() -> out.write(1)).isInstanceOf(IOException.class);
        assertThatThrownBy(out::commit).isInstanceOf(IllegalStateException.class);
        assertThat(store.exists("a")).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "/",
                "..",
                ".",
                "../x",
                "a/../b",
                "a/..",
                "/etc/passwd",
                "a//b",
                "a/",
                "a\\b",
                ".hidden",
                "a/.tmp",
                "a\u0000b",
                "ä",
                "a b",
                "a\nb",
                "C:x"
            })
    void noOtherNameIsAFile(String name) {
        assertThatThrownBy(() -> store.create(name)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> store.open(name)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> store.delete(name)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void deletingTwiceIsFineAndEmptyFoldersGo() throws IOException {
        write("r/1/0-a", "x");
        store.delete("r/1/0-a");
        store.delete("r/1/0-a");
        assertThat(root.resolve("r")).doesNotExist();
        assertThatThrownBy(() -> store.open("r/1/0-a")).isInstanceOf(NoSuchFileException.class);
    }

    @Test
    void ofConcurrentCommitsOfOneNameOneStaysWhole() throws Exception {
        List<Future<StoredFile>> commits = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 16; i++) {
                String text = Integer.toString(i).repeat(100_000);
                commits.add(threads.submit(() -> write("r/1/0-a", text)));
            }
        }
        List<String> hashes = new ArrayList<>();
        for (Future<StoredFile> commit : commits) {
            hashes.add(commit.get().sha256());
        }
        assertThat(hashes).contains(Hashes.sha256(text("r/1/0-a")));
        assertThat(allFiles()).hasSize(1);
    }

    @Test
    void partsBecomeOneFile() throws IOException {
        List<StoredFile> parts =
                List.of(write("r/1/0-a", "h\r\n1\r\n"), write("r/1/1-a", ""), write("r/1/2-a", "2".repeat(200_000)));
        StoredFile whole = store.concatenate("r/1/all", parts);
        String wanted = "h\r\n1\r\n" + "2".repeat(200_000);
        assertThat(whole).isEqualTo(new StoredFile("r/1/all", wanted.length(), Hashes.sha256(wanted)));
        assertThat(text("r/1/all")).isEqualTo(wanted);
    }

    @Test
    void aPartThatChangedStopsTheAssembly() throws IOException {
        StoredFile part = write("r/1/0-a", "one");
        write("r/1/0-a", "two");
        assertThatThrownBy(() -> store.concatenate("r/1/all", List.of(part)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("r/1/0-a");
        assertThat(allFiles()).hasSize(1);
    }

    @Test
    void oldFilesAreFoundAndLeftoversOfACrashGo() throws IOException {
        write("kept/1/0-a", "x");
        write("orphan/1/0-a", "x");
        write("young/1/0-a", "x");
        ReportFileWriter crashed = store.create("crashed/1/0-a");
        ReportFileWriter running = store.create("running/1/0-a");
        allFiles().stream()
                .filter(f -> !f.toString().contains("young") && !f.toString().contains("running"))
                .forEach(f -> age(f, NOW.minusSeconds(3600)));
        allFiles().stream()
                .filter(f -> f.toString().contains("young") || f.toString().contains("running"))
                .forEach(f -> age(f, NOW));

        List<String> old = new ArrayList<>();
        store.visit(NOW.minusSeconds(60), name -> {
            old.add(name);
            store.delete(name);
        });

        assertThat(old).containsExactlyInAnyOrder("kept/1/0-a", "orphan/1/0-a");
        assertThat(store.deleteUnfinished(NOW.minusSeconds(60))).isEqualTo(1);
        assertThat(store.list()).containsExactly("young/1/0-a");
        assertThat(root.resolve("crashed")).doesNotExist();
        assertThat(root.resolve("orphan")).doesNotExist();
        running.commit();
        assertThat(store.exists("running/1/0-a")).isTrue();
        crashed.close();
    }

    @Test
    void aFolderThatCannotBeWrittenToIsNamed() throws IOException {
        Path file = Files.createFile(root.resolve("file"));
        assertThatThrownBy(() -> new DiskReportStore(file.resolve("below"), false))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("report folder " + file)
                .hasMessageContaining("cannot be written to");
    }

    private StoredFile write(String name, String text) throws IOException {
        try (ReportFileWriter out = store.create(name)) {
            out.write(text.getBytes(UTF_8));
            return out.commit();
        }
    }

    private String text(String name) throws IOException {
        try (var in = Channels.newInputStream(store.open(name))) {
            return new String(in.readAllBytes(), UTF_8);
        }
    }

    private List<Path> allFiles() throws IOException {
        List<Path> files = new ArrayList<>();
        FileTreeWalk.walk(root, (file, written) -> files.add(file));
        return files;
    }

    private static void age(Path file, Instant time) {
        try {
            Files.setLastModifiedTime(file, FileTime.from(time));
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}
