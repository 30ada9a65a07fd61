package millrace.catalog.text;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.DigestOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.List;
import java.util.stream.IntStream;
import millrace.contracts.Hashes;
import millrace.contracts.requests.EntityList;
import millrace.contracts.requests.FilterList;
import org.jspecify.annotations.Nullable;

/**
 * A set of millions of entities or filter values in the order of their UTF-8 bytes. The bytes lie
 * side by side in blocks, which takes a fifth of the memory of a set of strings. One thread fills
 * it while it reads a body; afterwards it does not change.
 */
public final class SortedTextSet implements Iterable<String> {
    private static final int BLOCK_BITS = 16;
    private static final int BLOCK = 1 << BLOCK_BITS;
    /** Size of the first block; most requests have few texts. */
    private static final int SMALL_BLOCK = 1 << 8;

    private static final int GROWTH_BITS = 4;
    private static final int BLOCKS_THAT_GROW = 2;
    private static final int LENGTH = 2;

    private final int most;
    private final List<byte[]> blocks = new ArrayList<>();
    private int used;
    /** Where each text begins: number of the block and offset in it. */
    private IntBlocks starts = new IntBlocks();

    private int count;
    /** Number of texts, with those that came twice, at which duplicates are removed. */
    private final int room;

    private boolean sorted = true;
    /** Size of the file, where it is sorted. */
    private long bytes;

    private boolean cut;

    /**
     * @param most texts that are kept; further ones are dropped, and {@link #cut()} becomes true
     */
    public SortedTextSet(int most) {
        this.most = most;
        this.room = (int) Math.min(2L * most, Integer.MAX_VALUE);
    }

    /**
     * Reads what {@link #writeTo} wrote, without making texts of it.
     *
     * @param count number of texts in the file
     * @throws IOException also where there are more or fewer, or a text is longer than 64 KiB
     */
    public static SortedTextSet read(InputStream file, int count) throws IOException {
        var texts = new SortedTextSet(count);
        byte[] buffer = new byte[BLOCK];
        int kept = 0;
        for (int n = 0; n >= 0; ) {
            n = file.read(buffer, kept, buffer.length - kept);
            int end = kept + Math.max(0, n);
            int from = 0;
            for (int i = kept; i < end; i++) {
                if (buffer[i] == '\n') {
                    texts.add(buffer, from, i - from);
                    from = i + 1;
                }
            }
            kept = end - from;
            if (kept == buffer.length) {
                throw new IOException("a text is longer than " + (buffer.length - 1) + " bytes");
            }
            System.arraycopy(buffer, from, buffer, 0, kept);
        }
        texts.add(buffer, 0, kept);
        if (texts.count != count) {
            throw new IOException("there are " + texts.count + " texts, not " + count);
        }
        texts.markSorted();
        return texts;
    }

    /** Adds a text, of at most some thousand bytes. */
    public void add(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        add(bytes, 0, bytes.length);
    }

    private void add(byte[] bytes, int from, int length) {
        int at = begin(length);
        System.arraycopy(bytes, from, blocks.getLast(), at, length);
    }

    /** Adds a text of ASCII characters. */
    public void addAscii(char[] chars, int from, int length) {
        int at = begin(length);
        byte[] block = blocks.getLast();
        for (int i = 0; i < length; i++) {
            block[at + i] = (byte) chars[from + i];
        }
    }

    /** Reserves so many bytes in the last block and returns their offset. */
    private int begin(int bytes) {
        if (blocks.isEmpty() || used + LENGTH + bytes > blocks.getLast().length) {
            int size = SMALL_BLOCK << (GROWTH_BITS * Math.min(blocks.size(), BLOCKS_THAT_GROW));
            blocks.add(new byte[Math.max(size, LENGTH + bytes)]);
            used = 0;
        }
        if (count >= room) {
            sort(); // a body of duplicates needs no more memory than another
        }
        byte[] block = blocks.getLast();
        starts.set(count++, (blocks.size() - 1) << BLOCK_BITS | used);
        block[used] = (byte) (bytes >> 8);
        block[used + 1] = (byte) bytes;
        int at = used + LENGTH;
        used = at + bytes;
        sorted = false;
        return at;
    }

    /** Number of distinct texts. */
    public int size() {
        sort();
        return count;
    }

    /** Whether texts were dropped. */
    public boolean cut() {
        sort();
        return cut;
    }

    /** The first texts, at most {@code n}. */
    public List<String> first(int n) {
        sort();
        List<String> texts = new ArrayList<>(Math.min(n, count));
        for (int i = 0; i < count && i < n; i++) {
            texts.add(text(i));
        }
        return texts;
    }

    /** All texts in their order, made one by one. */
    @Override
    public Iterator<String> iterator() {
        return IntStream.range(0, size()).mapToObj(this::text).iterator();
    }

    private String text(int i) {
        int start = starts.get(i);
        return new String(block(start), place(start), length(start), StandardCharsets.UTF_8);
    }

    /** Finds a text by binary search, which no choice of texts makes slow. */
    public boolean contains(String text) {
        sort();
        byte[] wanted = text.getBytes(StandardCharsets.UTF_8);
        int from = 0;
        int to = count;
        while (from < to) {
            int middle = (from + to) >>> 1;
            int start = starts.get(middle);
            int place = place(start);
            int compared = Arrays.compareUnsigned(block(start), place, place + length(start), wanted, 0, wanted.length);
            if (compared == 0) {
                return true;
            }
            if (compared < 0) {
                from = middle + 1;
            } else {
                to = middle;
            }
        }
        return false;
    }

    /** Size of what {@link #writeTo} writes. */
    public long bytes() {
        sort();
        return bytes;
    }

    /**
     * Writes the content of the file of an {@link EntityList} or {@link FilterList}, up to 64 KiB at
     * a time.
     */
    public void writeTo(OutputStream out) throws IOException {
        sort();
        byte[] buffer = new byte[(int) Math.min(bytes, BLOCK)];
        int filled = 0;
        for (int i = 0; i < count; i++) {
            int start = starts.get(i);
            int length = length(start);
            if (filled + 1 + length > buffer.length) {
                out.write(buffer, 0, filled);
                filled = 0;
            }
            if (i > 0) {
                buffer[filled++] = '\n';
            }
            System.arraycopy(block(start), place(start), buffer, filled, length);
            filled += length;
        }
        out.write(buffer, 0, filled);
    }

    /** Describes the file, for the entities of a request. */
    public EntityList list() {
        sort();
        int step = EntityList.step(count);
        List<Long> marks = new ArrayList<>();
        long at = 0;
        for (int i = 0; i < count; i++) {
            if (i % step == 0) {
                marks.add(at);
            }
            at += length(starts.get(i)) + 1;
        }
        return new EntityList(count, bytes(), sha256(), step, marks);
    }

    /** Describes the file, for the values of a filter. */
    public FilterList filterList() {
        return new FilterList(size(), bytes(), sha256());
    }

    private String sha256() {
        var digest = Hashes.sha256();
        try (var out = new DigestOutputStream(OutputStream.nullOutputStream(), digest)) {
            writeTo(out);
        } catch (IOException e) {
            throw new UncheckedIOException("nothing is written anywhere", e);
        }
        return HexFormat.of().formatHex(digest.digest());
    }

    private void sort() {
        if (!sorted) {
            starts = IndexMergeSort.sorted(starts, count, this::compare);
            int kept = 0;
            for (int i = 0; i < count; i++) {
                if (kept == 0 || compare(starts.get(kept - 1), starts.get(i)) != 0) {
                    starts.set(kept++, starts.get(i));
                }
            }
            cut |= kept > most;
            count = Math.min(kept, most);
            markSorted();
        }
    }

    private void markSorted() {
        long size = Math.max(0, count - 1);
        for (int i = 0; i < count; i++) {
            size += length(starts.get(i));
        }
        bytes = size;
        sorted = true;
    }

    private int compare(int a, int b) {
        int fromA = place(a);
        int fromB = place(b);
        return Arrays.compareUnsigned(block(a), fromA, fromA + length(a), block(b), fromB, fromB + length(b));
    }

    private byte[] block(int start) {
        return blocks.get(start >>> BLOCK_BITS);
    }

    private static int place(int start) {
        return (start & (BLOCK - 1)) + LENGTH;
    }

    private int length(int start) {
        byte[] block = block(start);
        int at = start & (BLOCK - 1);
        return (block[at] & 0xFF) << 8 | (block[at + 1] & 0xFF);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof SortedTextSet texts && Arrays.equals(written(), texts.written());
    }

    @Override
    public int hashCode() {
        return size();
    }

    private byte[] written() {
        var out = new ByteArrayOutputStream();
        try {
            writeTo(out);
        } catch (IOException e) {
            throw new UncheckedIOException("nothing is written anywhere", e);
        }
        return out.toByteArray();
    }
}
