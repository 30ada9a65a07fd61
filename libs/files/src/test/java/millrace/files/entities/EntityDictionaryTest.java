package millrace.files.entities;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.OutputStream;
import java.io.StreamCorruptedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import millrace.contracts.Json;
import millrace.contracts.requests.DatasetFacts;
import millrace.files.disk.DiskReportStore;
import millrace.files.store.ReportFileWriter;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;
import org.jspecify.annotations.Nullable;

/** A dictionary answers as the set of its names does. */
class EntityDictionaryTest {
    private static final String FILE = EntityDictionary.fileName("keywords", "v1");
    private static final DatasetFacts FACTS = new DatasetFacts(
            null,
            12,
            3,
            Map.of("monthly", new DatasetFacts.Span(LocalDate.parse("2026-01-01"), LocalDate.parse("2026-10-01"))),
            List.of("a"));

    private static @Nullable Path folder;

    @BeforeContainer
    static void makeFolder() throws IOException {
        folder = Files.createTempDirectory("dictionaries");
    }

    @AfterContainer
    static void deleteFolder() throws IOException {
        try (Stream<Path> files = Files.walk(folder())) {
            for (Path file : files.sorted((a, b) -> b.compareTo(a)).toList()) {
                Files.delete(file);
            }
        }
    }

    @Property
    void findsEveryNameInTheOrderOfItsBytes(
            @ForAll("names") Set<String> given, @ForAll @IntRange(min = 1, max = 200) int blockBytes)
            throws IOException {
        EntityDictionary dictionary = dictionary(given, blockBytes);
        assertThat(dictionary.startingWith("", name -> true, Integer.MAX_VALUE, dictionary::read))
                .containsExactlyElementsOf(sorted(given));
        assertThat(dictionary.facts()).isEqualTo(FACTS);
        assertThat(dictionary.read(0, dictionary.blocks()).stream().mapToLong(block -> block.length))
                .as("all blocks at once")
                .hasSize(dictionary.blocks())
                .satisfies(lengths -> assertThat(
                                lengths.stream().mapToLong(Long::longValue).sum())
                        .isEqualTo(dictionary.bytes()));
    }

    @Property
    void findsTheFirstNamesWithAPrefix(
            @ForAll("names") Set<String> given,
            @ForAll("name") String prefix,
            @ForAll @IntRange(max = 5) int length,
            @ForAll @IntRange(min = 1, max = 4) int most,
            @ForAll @IntRange(min = 1, max = 60) int blockBytes)
            throws IOException {
        EntityDictionary dictionary = dictionary(given, blockBytes);
        for (String start : List.of(prefix, start(prefix, length))) {
            List<String> expected = sorted(given).stream()
                    .filter(name -> name.startsWith(start) && name.length() != 3)
                    .limit(most)
                    .toList();
            assertThat(dictionary.startingWith(start, name -> name.length() != 3, most, dictionary::read))
                    .isEqualTo(expected);
        }
    }

    @Property
    void findsWhatIsMissing(
            @ForAll("names") Set<String> given,
            @ForAll("names") Set<String> others,
            @ForAll @IntRange(min = 1, max = 60) int blockBytes)
            throws IOException {
        EntityDictionary dictionary = dictionary(given, blockBytes);
        Set<String> asked = new HashSet<>(others);
        given.stream().limit(5).forEach(asked::add);
        List<String> missing =
                sorted(asked).stream().filter(name -> !given.contains(name)).toList();
        var found = new MissingNames(3);
        dictionary.look(sorted(asked), found, dictionary::read);
        assertThat(found.checked()).isEqualTo(asked.size());
        assertThat(found.count()).isEqualTo(missing.size());
        assertThat(found.first()).isEqualTo(missing.stream().limit(3).toList());
        var none = new MissingNames(3);
        dictionary.look(sorted(given), none, dictionary::read);
        assertThat(none.count()).isZero();
    }

    /** What was found before counts, and nothing else. */
    @Property
    void looksUpWhatItCanRead(
            @ForAll("names") Set<String> given,
            @ForAll("names") Set<String> asked,
            @ForAll @IntRange(max = 10) int readable)
            throws IOException {
        EntityDictionary dictionary = dictionary(given, 20);
        var found = new MissingNames(Integer.MAX_VALUE);
        try {
            dictionary.look(sorted(asked), found, block -> {
                if (block >= readable) {
                    throw new IOException("too late");
                }
                return dictionary.read(block);
            });
            assertThat(found.checked()).isEqualTo(asked.size());
        } catch (IOException e) {
            assertThat(e).hasMessage("too late");
        }
        assertThat(found.first())
                .isEqualTo(sorted(asked).stream()
                        .limit(found.checked())
                        .filter(name -> !given.contains(name))
                        .toList());
    }

    /** So that a name that was left out is not taken for one without rows. */
    @Example
    void saysWhetherAnEarlierBuildHasLeftNamesOut() throws IOException {
        assertThat(dictionary(List.of("a"), 10).hasEveryName()).isTrue();
        try (ReportFileWriter out = store().create(FILE)) {
            new EntityDictionaryWriter(out).finish(Json.bytes(FACTS));
            out.commit();
        }
        EntityDictionary earlier = EntityDictionary.open(store(), FILE);
        assertThat(earlier.hasEveryName()).isFalse();
        assertThat(earlier.facts()).isEqualTo(FACTS);
    }

    /** Any byte of a file can be damaged on its disk. */
    @Property(tries = 300)
    void noticesADamagedFile(
            @ForAll @IntRange(max = 1_000_000) int place, @ForAll @IntRange(min = 1, max = 255) int change)
            throws IOException {
        dictionary(List.of("alpha", "beta", "gamma", "γ"), 10);
        Path path = folder().resolve(FILE);
        byte[] bytes = Files.readAllBytes(path);
        bytes[place % bytes.length] ^= (byte) change;
        Files.write(path, bytes);
        assertThatThrownBy(() -> {
                    EntityDictionary damaged = EntityDictionary.open(store(), FILE);
                    damaged.read(0, damaged.blocks());
                })
                .isInstanceOf(StreamCorruptedException.class)
                .hasMessage("entity dictionary " + FILE + " is damaged");
    }

    @Example
    void aFileThatIsTooShortIsDamaged() throws IOException {
        dictionary(List.of("alpha"), 10);
        Path path = folder().resolve(FILE);
        byte[] bytes = Files.readAllBytes(path);
        for (int length : new int[] {0, 1, 39, 40, bytes.length - 1}) {
            Files.write(path, Arrays.copyOf(bytes, length));
            assertThatThrownBy(() -> EntityDictionary.open(store(), FILE)).isInstanceOf(StreamCorruptedException.class);
        }
    }

    @Example
    void takesNamesInTheirOrderOnly() throws IOException {
        var writer = new EntityDictionaryWriter(OutputStream.nullOutputStream());
        writer.add("b");
        for (String name : List.of("a", "b", "B")) {
            assertThatThrownBy(() -> writer.add(name)).as(name).isInstanceOf(IllegalArgumentException.class);
        }
        writer.add("");
        writer.add("c".repeat(EntityDictionaryWriter.MOST_NAME_BYTES + 1));
        writer.add("c");
        assertThat(writer.names()).isEqualTo(2);
    }

    /** Of a million names, a block and a line of the index for each block are in memory. */
    @Example
    void holdsLittleInMemory() throws IOException {
        var size = new long[1];
        var writer = new EntityDictionaryWriter(new OutputStream() {
            @Override
            public void write(int b) {
                size[0]++;
            }

            @Override
            public void write(byte[] bytes, int offset, int length) {
                size[0] += length;
            }
        });
        int most = 0;
        for (int i = 1_000_000; i < 2_000_000; i++) {
            writer.add("shop-" + i + ".example");
            most = Math.max(most, writer.heldBytes());
        }
        writer.finish(FACTS);
        assertThat(size[0]).isGreaterThan(10_000_000);
        assertThat(most).isLessThan(2 * EntityDictionaryWriter.BLOCK_BYTES + (int) (size[0] / 100));
    }

    @Example
    void filesOfVersionsAreToldFromOthers() {
        assertThat(EntityDictionary.fileName("keywords", "20261121-061530"))
                .isEqualTo("datasets/keywords/20261121-061530.entities");
        String odd = EntityDictionary.fileName("keywords", "Überall / 2026");
        assertThat(odd).matches("datasets/keywords/_[0-9a-f]{64}[.]entities");
        assertThat(EntityDictionary.fileName("keywords", "überall / 2026")).isNotEqualTo(odd);
        assertThat(EntityDictionary.datasetOf(odd)).contains("keywords");
        for (String other : List.of(
                "ledger.json",
                "datasets/845d6440-79d1-4125-964e-eaef0d6923e5/request",
                "datasets/845d6440-79d1-4125-964e-eaef0d6923e5/filter-keyword",
                "datasets/keywords/v1",
                "845d6440-79d1-4125-964e-eaef0d6923e5/1/0-a.csv")) {
            assertThat(EntityDictionary.datasetOf(other)).as(other).isEmpty();
        }
    }

    @Provide
    Arbitrary<Set<String>> names() {
        Arbitrary<String> counted = Arbitraries.integers().between(0, 400).map(i -> "name " + i);
        return Arbitraries.oneOf(
                name().set().ofMaxSize(60),
                counted.set().ofMaxSize(300),
                Arbitraries.just(Set.of()),
                name().map(Set::of));
    }

    /** Short ones of few letters, so that they share much, and others of any letters. */
    @Provide
    Arbitrary<String> name() {
        Arbitrary<String> few =
                Arbitraries.strings().withChars("ab.é漢").ofMinLength(1).ofMaxLength(5);
        Arbitrary<String> any = Arbitraries.strings().all().ofMinLength(1).ofMaxLength(20);
        Arbitrary<String> beyond = few.map(text -> text + "👟");
        return Arbitraries.oneOf(few, any, beyond).filter(text -> new String(text.getBytes(UTF_8), UTF_8).equals(text));
    }

    private static EntityDictionary dictionary(Collection<String> names, int blockBytes) throws IOException {
        try (ReportFileWriter out = store().create(FILE)) {
            var writer = new EntityDictionaryWriter(out, blockBytes);
            for (String name : sorted(names)) {
                writer.add(name);
            }
            writer.finish(FACTS);
            out.commit();
        }
        return EntityDictionary.open(store(), FILE);
    }

    private static String start(String text, int length) {
        int[] letters = text.codePoints().limit(length).toArray();
        return new String(letters, 0, letters.length);
    }

    private static NavigableSet<String> sorted(Collection<String> names) {
        var sorted = new TreeSet<String>((a, b) -> Arrays.compareUnsigned(a.getBytes(UTF_8), b.getBytes(UTF_8)));
        sorted.addAll(names);
        return sorted;
    }

    private static DiskReportStore store() throws IOException {
        return new DiskReportStore(folder(), false);
    }

    private static Path folder() {
        return Objects.requireNonNull(folder);
    }
}
