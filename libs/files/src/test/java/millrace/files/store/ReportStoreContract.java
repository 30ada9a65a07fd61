package millrace.files.store;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.file.NoSuchFileException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import millrace.contracts.Hashes;
import millrace.contracts.reports.StoredFile;
import millrace.contracts.requests.DatasetFacts;
import millrace.files.entities.EntityDictionary;
import millrace.files.entities.EntityDictionaryWriter;
import millrace.files.entities.MissingNames;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What every store does, whatever it keeps files on. */
abstract class ReportStoreContract {
    private static final int MIB = 1024 * 1024;

    /** An empty one; the same for all calls of a test. */
    abstract ReportStore store() throws IOException;

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 64 * 1024, 64 * 1024 + 1, MIB, 5 * MIB, 8 * MIB, 8 * MIB + 1, 20 * MIB})
    void aCommittedFileHasItsBytesSizeAndHash(int size) throws IOException {
        byte[] bytes = bytes(size);
        StoredFile file = write("r/1/0-a.csv", bytes);
        assertThat(file).isEqualTo(new StoredFile("r/1/0-a.csv", size, Hashes.sha256(bytes)));
        assertThat(read("r/1/0-a.csv")).isEqualTo(bytes);
        assertThat(store().list()).containsExactly("r/1/0-a.csv");
    }

    @ParameterizedTest
    @ValueSource(ints = {10, 17 * MIB})
    void nothingIsSeenBeforeTheCommitNorLeftWithoutOne(int size) throws IOException {
        try (ReportFileWriter out = store().create("r/1/0-a")) {
            out.write(bytes(size));
            assertThat(store().exists("r/1/0-a")).isFalse();
            assertThat(store().list()).isEmpty();
        }
        assertThat(store().exists("r/1/0-a")).isFalse();
        assertThat(store().deleteUnfinished(Instant.MAX)).isZero();
    }

    @Test
    void aClosedWriterTakesNothing() throws IOException {
        ReportFileWriter out = store().create("a");
        out.write('x');
        out.commit();
        out.close();
        assertThatThrownBy(() -> out.write(1)).isInstanceOf(IOException.class);
        assertThatThrownBy(out::commit).isInstanceOf(IllegalStateException.class);
        assertThat(store().exists("a")).isTrue();
    }

    @Test
    void whatIsNotThereIsSaidToBeSo() throws IOException {
        assertThat(store().exists("r/1/none")).isFalse();
        assertThatThrownBy(() -> store().open("r/1/none")).isInstanceOf(NoSuchFileException.class);
        store().delete("r/1/none");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "/", "..", "../x", "a/../b", "/etc/passwd", "a//b", ".hidden", "a/.tmp", "ä", "a b"})
    void noOtherNameIsAFile(String name) {
        assertThatThrownBy(() -> store().create(name)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> store().open(name)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> store().delete(name)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aFileIsReadFromAnywhere() throws IOException {
        byte[] bytes = bytes(100_000);
        write("r/1/0-a", bytes);
        try (var in = store().open("r/1/0-a")) {
            assertThat(in.size()).isEqualTo(bytes.length);
            for (int from : new int[] {99_990, 0, 50_000}) {
                ByteBuffer ten = ByteBuffer.allocate(10);
                in.position(from);
                while (ten.hasRemaining() && in.read(ten) >= 0) {
                    assertThat(in.position()).isEqualTo(from + ten.position());
                }
                assertThat(ten.flip()).isEqualTo(ByteBuffer.wrap(bytes, from, 10));
            }
            in.position(bytes.length);
            assertThat(in.read(ByteBuffer.allocate(1))).isEqualTo(-1);
        }
    }

    @Test
    void aPartOfAFileIsReadAtOnce() throws IOException {
        byte[] bytes = bytes(100_000);
        write("r/1/0-a", bytes);
        for (int from : new int[] {0, 1, 50_000, 99_990}) {
            assertThat(store().read("r/1/0-a", from, 10)).isEqualTo(Arrays.copyOfRange(bytes, from, from + 10));
        }
        assertThat(store().read("r/1/0-a", 0, bytes.length)).isEqualTo(bytes);
        assertThat(store().read("r/1/0-a", 5, 0)).isEmpty();
        assertThatThrownBy(() -> store().read("r/1/0-a", 99_991, 10)).isInstanceOf(EOFException.class);
        assertThatThrownBy(() -> store().read("r/1/none", 0, 1)).isInstanceOf(NoSuchFileException.class);
    }

    /** Dictionaries are written and read as the processor and the gateway do, with several blocks. */
    @Test
    void anEntityDictionaryIsWrittenAndRead() throws IOException {
        String file = EntityDictionary.fileName("keywords", "v1");
        List<String> names =
                IntStream.range(0, 5_000).mapToObj(i -> "name " + (10_000 + i)).toList();
        var facts = new DatasetFacts(Instant.EPOCH, 7, names.size(), Map.of(), names.subList(0, 3));
        try (ReportFileWriter out = store().create(file)) {
            var writer = new EntityDictionaryWriter(out);
            for (String name : names) {
                writer.add(name);
            }
            writer.finish(facts);
            out.commit();
        }
        EntityDictionary dictionary = EntityDictionary.open(store(), file);
        assertThat(dictionary.facts()).isEqualTo(facts);
        assertThat(dictionary.blocks()).isGreaterThan(1);
        assertThat(dictionary.startingWith("name 1", name -> true, 10_000, dictionary::read))
                .isEqualTo(names);
        var missing = new MissingNames(10);
        dictionary.look(List.of("name 10000", "name 12345 x", "name 14999"), missing, dictionary::read);
        assertThat(missing.first()).containsExactly("name 12345 x");
        store().delete(file);
        assertThatThrownBy(() -> EntityDictionary.open(store(), file)).isInstanceOf(NoSuchFileException.class);
        assertThatThrownBy(() -> dictionary.read(0)).isInstanceOf(NoSuchFileException.class);
    }

    /** Sizes in MiB: what can be copied within a storage, what is too small for it, and both mixed. */
    @ParameterizedTest
    @ValueSource(strings = {"0", "1 1", "6 6 6", "1 6 1 6 6", "6 0 1", "9 1 5 1"})
    void partsBecomeOneFile(String sizes) throws IOException {
        List<StoredFile> parts = new ArrayList<>();
        byte[] whole = new byte[0];
        for (String size : sizes.split(" ", -1)) {
            byte[] part = bytes(Integer.parseInt(size) * MIB + parts.size());
            parts.add(write("r/1/" + parts.size() + "-a.csv", part));
            whole = ByteBuffer.allocate(whole.length + part.length)
                    .put(whole)
                    .put(part)
                    .array();
        }
        StoredFile report = store().concatenate("r/1/report-a.csv", parts);
        assertThat(report).isEqualTo(new StoredFile("r/1/report-a.csv", whole.length, Hashes.sha256(whole)));
        assertThat(read("r/1/report-a.csv")).isEqualTo(whole);
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 6 * MIB})
    void aPartThatChangedStopsTheAssembly(int size) throws IOException {
        StoredFile first = write("r/1/0-a", bytes(6 * MIB));
        StoredFile part = write("r/1/1-a", bytes(size));
        write("r/1/1-a", "other".getBytes(UTF_8));
        assertThatThrownBy(() -> store().concatenate("r/1/all", List.of(first, part)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("r/1/1-a");
        assertThat(store().list()).containsExactly("r/1/0-a", "r/1/1-a");
        assertThat(store().deleteUnfinished(Instant.MAX)).isZero();
    }

    @Test
    void oldFilesAreFoundAndMayBeDeletedMeanwhile() throws IOException {
        write("r/1/0-a", bytes(1));
        write("acme/x/request", bytes(1));
        List<String> found = new ArrayList<>();
        store().visit(Instant.EPOCH, found::add);
        assertThat(found).isEmpty();
        store().visit(Instant.now().plusSeconds(60), name -> {
            found.add(name);
            store().delete(name);
        });
        assertThat(found).containsExactlyInAnyOrder("r/1/0-a", "acme/x/request");
        assertThat(store().list()).isEmpty();
    }

    @Test
    void aFolderIsDeletedWithAllItsFiles() throws IOException {
        write("r/1/0-a", bytes(1));
        write("r/1/manifest-a.json", bytes(1));
        write("r/10/0-a", bytes(1));
        write("r/2/0-a", bytes(1));
        store().deleteAll("r/1/");
        assertThat(store().list()).containsExactly("r/10/0-a", "r/2/0-a");
        store().deleteAll("r/1/");
        store().deleteAll("r/2/0-a");
        store().deleteAll("r/2/0-a");
        assertThat(store().list()).containsExactly("r/10/0-a");
    }

    @Test
    void theFilesOfAFolderAreFoundWithoutTheOthers() throws IOException {
        write("datasets/keywords/v1.entities", bytes(1));
        write("datasets-of-others/v1.entities", bytes(1));
        write("r/1/datasets", bytes(1));
        List<String> found = new ArrayList<>();
        store().visit("datasets", Instant.EPOCH, found::add);
        store().visit("none", Instant.MAX, found::add);
        assertThat(found).isEmpty();
        store().visit("datasets", Instant.MAX, found::add);
        assertThat(found).containsExactly("datasets/keywords/v1.entities");
    }

    @Test
    void whatADeadWriterLeftIsDeleted() throws IOException {
        ReportFileWriter dead = store().create("r/1/0-a");
        dead.write(bytes(9 * MIB));
        assertThat(store().deleteUnfinished(Instant.EPOCH)).isZero();
        assertThat(store().deleteUnfinished(Instant.now().plusSeconds(60))).isEqualTo(1);
        assertThat(store().deleteUnfinished(Instant.now().plusSeconds(60))).isZero();
        assertThat(store().list()).isEmpty();
        dead.close();
    }

    StoredFile write(String name, byte[] bytes) throws IOException {
        try (ReportFileWriter out = store().create(name)) {
            out.write(bytes);
            return out.commit();
        }
    }

    byte[] read(String name) throws IOException {
        try (var in = Channels.newInputStream(store().open(name))) {
            return in.readAllBytes();
        }
    }

    static byte[] bytes(int size) {
        byte[] bytes = new byte[size];
        new Random(size).nextBytes(bytes);
        return bytes;
    }
}
