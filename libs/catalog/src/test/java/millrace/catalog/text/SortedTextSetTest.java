package millrace.catalog.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import millrace.contracts.Hashes;
import millrace.contracts.requests.EntityList;
import millrace.contracts.requests.EntityRange;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.CharRange;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;

class SortedTextSetTest {

    @Property
    void holdsEachOnceInTheOrderOfItsBytes(@ForAll("texts") List<String> given) {
        SortedTextSet texts = texts(given, 10_000);
        var expected = new TreeSet<>(Text.UTF8);
        expected.addAll(given);
        assertThat(texts.first(Integer.MAX_VALUE)).containsExactlyElementsOf(expected);
        assertThat(texts.size()).isEqualTo(expected.size());
        assertThat(texts.bytes()).isEqualTo(written(texts).length);
        assertThat(texts.cut()).isFalse();
    }

    @Property
    void keepsNoMoreThanItMay(@ForAll("texts") List<String> given, @ForAll @IntRange(min = 1, max = 40) int most) {
        int distinct = (int) given.stream().distinct().count();
        SortedTextSet texts = texts(given, most);
        assertThat(texts.cut()).isEqualTo(distinct > most);
        assertThat(texts.size()).isEqualTo(Math.min(distinct, most));
    }

    @Property
    void findsWhatItHolds(@ForAll("texts") List<String> given, @ForAll("texts") List<String> others) {
        SortedTextSet texts = texts(given, 10_000);
        assertThat(given).allMatch(texts::contains);
        assertThat(others).allMatch(text -> texts.contains(text) == given.contains(text));
    }

    /** Also where a text begins in one buffer and ends in the next one. */
    @Test
    void isReadFromItsFile() throws IOException {
        SortedTextSet texts =
                texts(IntStream.range(0, 50_000).mapToObj(i -> "é" + i * 31).toList(), 50_000);
        byte[] file = written(texts);
        assertThat(file).hasSizeGreaterThan(5 << 16);
        SortedTextSet read = SortedTextSet.read(new ByteArrayInputStream(file), 50_000);
        assertThat(read).isEqualTo(texts);
        assertThat(read.first(50_000)).allMatch(read::contains);
        assertThat(read.contains("é31x")).isFalse();
        for (int count : new int[] {1, 24_999, 49_999, 50_001}) {
            assertThatThrownBy(() -> SortedTextSet.read(new ByteArrayInputStream(file), count))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("not " + count);
        }
    }

    /** Whatever fits into the 64 KiB that are written at a time. */
    @Property(tries = 50)
    void writesItsFileInParts(@ForAll @Size(max = 10) List<@IntRange(min = 1, max = 60_000) Integer> lengths) {
        List<String> given = lengths.stream().map("x"::repeat).toList();
        SortedTextSet texts = texts(given, 1_000);
        String file = given.stream().distinct().sorted().collect(Collectors.joining("\n"));
        assertThat(written(texts)).isEqualTo(file.getBytes(StandardCharsets.US_ASCII));
        assertThat(texts.bytes()).isEqualTo(file.length());
        assertThat(texts.filterList().sha256()).isEqualTo(Hashes.sha256(written(texts)));
    }

    @Test
    void aTextHasItsLimit() throws IOException {
        byte[] file = ("a\n" + "b".repeat(65_533) + "\nc").getBytes(StandardCharsets.US_ASCII);
        assertThat(SortedTextSet.read(new ByteArrayInputStream(file), 3).first(3))
                .containsExactly("a", "b".repeat(65_533), "c");
        byte[] longer = "b".repeat(65_537).getBytes(StandardCharsets.US_ASCII);
        assertThatThrownBy(() -> SortedTextSet.read(new ByteArrayInputStream(longer), 1))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("65535 bytes");
    }

    /** Cut in any number of pieces, the ranges give every line once. */
    @Property
    void everyEntityIsInExactlyOneRange(
            @ForAll @IntRange(min = 1, max = 3_000) int count, @ForAll @IntRange(min = 1, max = 60) int pieces) {
        SortedTextSet texts =
                texts(IntStream.range(0, count).mapToObj(i -> "é" + i * 31).toList(), 10_000);
        byte[] file = written(texts);
        EntityList list = texts.list();
        assertThat(list.sha256()).isEqualTo(Hashes.sha256(file));
        assertThat(list.bytes()).isEqualTo(file.length);
        List<String> read = new ArrayList<>();
        int slices = Math.min(pieces, count);
        for (int i = 0; i < slices; i++) {
            int from = (int) ((long) i * count / slices);
            int to = (int) ((long) (i + 1) * count / slices);
            read.addAll(read(file, list.range("f", from, to)));
        }
        assertThat(read).containsExactlyElementsOf(texts.first(count));
    }

    @Property
    void asciiIsAddedAsAText(@ForAll List<@CharRange(from = ' ', to = '~') @StringLength(max = 400) String> given) {
        var texts = new SortedTextSet(10_000);
        given.forEach(text -> texts.addAscii(("[" + text).toCharArray(), 1, text.length()));
        assertThat(texts.first(10_000)).isEqualTo(texts(given, 10_000).first(10_000));
    }

    /** In dozens of blocks; HostileBodiesTest has a million. */
    @Test
    void holdsManyThatComeTwice() {
        List<String> given = IntStream.range(0, 200_000)
                .mapToObj(i -> "d" + (i * 7_919L % 100_000) + ".com")
                .toList();
        SortedTextSet texts = texts(given, 100_000);
        assertThat(texts.size()).isEqualTo(100_000);
        assertThat(texts.cut()).isFalse();
        assertThat(texts.list().marks()).hasSize(EntityList.MOST_MARKS);
    }

    @Provide
    Arbitrary<List<String>> texts() {
        return Arbitraries.strings()
                .withChars("ab.éΣ漢\ue000")
                .ofMaxLength(5)
                .map(s -> s.length() % 2 == 0 ? s + "👟" : s)
                .list()
                .ofMaxSize(200);
    }

    private static List<String> read(byte[] file, EntityRange range) {
        String rest = new String(Arrays.copyOfRange(file, (int) range.offset(), file.length), StandardCharsets.UTF_8);
        return rest.lines().skip(range.skip()).limit(range.count()).collect(Collectors.toList());
    }

    private static SortedTextSet texts(List<String> given, int most) {
        var texts = new SortedTextSet(most);
        given.forEach(texts::add);
        return texts;
    }

    private static byte[] written(SortedTextSet texts) {
        var out = new ByteArrayOutputStream();
        try {
            texts.writeTo(out);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        return out.toByteArray();
    }
}
