package millrace.files.entities;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.EOFException;
import java.io.IOException;
import java.io.StreamCorruptedException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.CRC32C;
import millrace.contracts.Hashes;
import millrace.contracts.Json;
import millrace.contracts.requests.DatasetFacts;
import millrace.files.store.ReportStore;

/**
 * An entity dictionary in the report store, {@code datasets/{dataset}/{version}.entities}. Its
 * index and facts are in memory; blocks are read one by one, and kept by the caller. Thread-safe.
 */
public final class EntityDictionary {
    /** The folder of all dictionaries. */
    public static final String FOLDER = "datasets";

    private static final Pattern FILE = Pattern.compile(FOLDER + "/([a-z][a-z0-9_]*)/[^/]+[.]entities");
    private static final Pattern PLAIN_VERSION = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,99}");
    /** Length, checksum, length of the separator. */
    private static final int LINE_BYTES = 2 * Integer.BYTES + Short.BYTES;

    private static final int MOST_FACT_BYTES = 1024 * 1024;

    private final ReportStore store;
    private final String file;
    private final byte[] index;
    /** The same bytes, for numbers. */
    private final ByteBuffer indexNumbers;
    /** Where the line of each block begins in the index. */
    private final int[] lines;
    /** Where each block begins in the file, and where the last one ends. */
    private final long[] positions;

    private final DatasetFacts facts;
    private final boolean everyName;

    private EntityDictionary(
            ReportStore store,
            String file,
            byte[] index,
            int[] lines,
            long[] positions,
            DatasetFacts facts,
            boolean everyName) {
        this.store = store;
        this.file = file;
        this.index = index;
        this.indexNumbers = ByteBuffer.wrap(index);
        this.lines = lines;
        this.positions = positions;
        this.facts = facts;
        this.everyName = everyName;
    }

    /** Reads a block of a dictionary, or finds it in a cache. */
    @FunctionalInterface
    public interface Blocks {
        byte[] get(int block) throws IOException;
    }

    /** The file of a version, whose name may be any text. */
    public static String fileName(String dataset, String version) {
        String name = PLAIN_VERSION.matcher(version).matches() ? version : "_" + Hashes.sha256(version);
        return FOLDER + "/" + dataset + "/" + name + ".entities";
    }

    /** The dataset of an entity dictionary; empty for other files of the report store. */
    public static Optional<String> datasetOf(String fileName) {
        Matcher name = FILE.matcher(fileName);
        return name.matches() ? Optional.of(name.group(1)) : Optional.empty();
    }

    /**
     * Opens a dictionary.
     *
     * @throws java.nio.file.NoSuchFileException where there is none
     * @throws StreamCorruptedException where the file is not a dictionary, or is damaged
     */
    public static EntityDictionary open(ReportStore store, String file) throws IOException {
        try (SeekableByteChannel channel = store.open(file)) {
            long end = channel.size() - EntityDictionaryWriter.TRAILER_BYTES;
            if (end < 0) {
                throw damaged(file);
            }
            byte[] last = read(channel, end, EntityDictionaryWriter.TRAILER_BYTES);
            ByteBuffer trailer = ByteBuffer.wrap(last);
            long position = trailer.getLong();
            int indexBytes = trailer.getInt();
            int factBytes = trailer.getInt();
            int blocks = trailer.getInt();
            int checked = trailer.position();
            int checksum = trailer.getInt();
            boolean plausible = trailer.getLong() == EntityDictionaryWriter.MAGIC
                    && position >= 0
                    && indexBytes >= 0
                    && factBytes >= 0
                    && blocks >= 0
                    && factBytes <= MOST_FACT_BYTES
                    && indexBytes <= 2 * EntityDictionaryWriter.MOST_INDEX_BYTES
                    && position + indexBytes + factBytes == end
                    && (long) blocks * LINE_BYTES <= indexBytes;
            if (!plausible) {
                throw damaged(file);
            }
            byte[] rest = read(channel, position, indexBytes + factBytes);
            var actual = new CRC32C();
            actual.update(rest);
            actual.update(last, 0, checked);
            if ((int) actual.getValue() != checksum) {
                throw damaged(file);
            }
            JsonNode json = Json.MAPPER.readTree(rest, indexBytes, factBytes);
            DatasetFacts facts = Json.MAPPER.treeToValue(json, DatasetFacts.class);
            boolean everyName = json.path(EntityDictionaryWriter.EVERY_NAME).asBoolean();
            byte[] index = Arrays.copyOf(rest, indexBytes);
            ByteBuffer numbers = ByteBuffer.wrap(index);
            int[] lines = new int[blocks];
            long[] positions = new long[blocks + 1];
            for (int i = 0, line = 0; i < blocks; i++) {
                lines[i] = line;
                positions[i + 1] = positions[i] + numbers.getInt(line);
                line += LINE_BYTES + numbers.getShort(line + 2 * Integer.BYTES);
            }
            return new EntityDictionary(store, file, index, lines, positions, facts, everyName);
        }
    }

    public DatasetFacts facts() {
        return facts;
    }

    /**
     * Whether it has all names of the version, so that one that it lacks has no rows. Earlier builds have left out those
     * that no request could name then.
     */
    public boolean hasEveryName() {
        return everyName;
    }

    /** Number of blocks. */
    public int blocks() {
        return lines.length;
    }

    /** Size of all blocks in bytes. */
    public long bytes() {
        return positions[lines.length];
    }

    /** Number of the block in which the name would be; 0 also where there are no blocks. */
    public int blockOf(String name) {
        return blockOf(utf8(name));
    }

    private int blockOf(byte[] name) {
        int low = 0;
        int high = lines.length - 1;
        while (low < high) {
            int middle = (low + high + 1) >>> 1;
            int from = lines[middle] + LINE_BYTES;
            int to = from + indexNumbers.getShort(lines[middle] + 2 * Integer.BYTES);
            if (Arrays.compareUnsigned(index, from, to, name, 0, name.length) <= 0) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return low;
    }

    /**
     * Reads neighbouring blocks with one request.
     *
     * @throws java.nio.file.NoSuchFileException where the dictionary has been deleted meanwhile
     * @throws StreamCorruptedException where it is damaged
     */
    public List<byte[]> read(int first, int count) throws IOException {
        long from = positions[first];
        byte[] all = store.read(file, from, Math.toIntExact(positions[first + count] - from));
        List<byte[]> blocks = new ArrayList<>(count);
        for (int i = first; i < first + count; i++) {
            int start = Math.toIntExact(positions[i] - from);
            int end = Math.toIntExact(positions[i + 1] - from);
            if (checksum(all, start, end) != indexNumbers.getInt(lines[i] + Integer.BYTES)) {
                throw damaged(file);
            }
            blocks.add(Arrays.copyOfRange(all, start, end));
        }
        return blocks;
    }

    /** Reads one block; see {@link #read(int, int)}. */
    public byte[] read(int block) throws IOException {
        return read(block, 1).getFirst();
    }

    /**
     * The first names with the prefix in the order of UTF-8 bytes.
     *
     * @param wanted others are passed over
     * @param most how many are returned
     */
    public List<String> startingWith(String prefix, Predicate<String> wanted, int most, Blocks blocks)
            throws IOException {
        byte[] start = utf8(prefix);
        List<String> found = new ArrayList<>();
        for (int i = blockOf(start); i < lines.length; i++) {
            var block = new EntityBlock(blocks.get(i));
            while (block.next()) {
                if (block.startsWith(start)) {
                    if (found.size() == most) {
                        return found;
                    }
                    String name = block.name();
                    if (wanted.test(name)) {
                        found.add(name);
                    }
                } else if (block.compareTo(start) > 0) {
                    return found;
                }
            }
        }
        return found;
    }

    /**
     * Looks names up, and reads each block once.
     *
     * @param sorted by UTF-8 bytes
     * @param missing is told of each name that was looked up
     * @throws IOException where a block cannot be read; names before it have been looked up
     */
    public void look(Iterable<String> sorted, MissingNames missing, Blocks blocks) throws IOException {
        int current = -1;
        EntityBlock block = new EntityBlock(new byte[0]);
        boolean atName = false;
        for (String name : sorted) {
            byte[] bytes = utf8(name);
            int wanted = blockOf(bytes);
            if (wanted != current && wanted < lines.length) {
                block = new EntityBlock(blocks.get(wanted));
                atName = block.next();
                current = wanted;
            }
            while (atName && block.compareTo(bytes) < 0) {
                atName = block.next();
            }
            missing.looked(name, atName && block.compareTo(bytes) == 0);
        }
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] read(SeekableByteChannel channel, long from, int length) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(length);
        channel.position(from);
        while (bytes.hasRemaining()) {
            if (channel.read(bytes) < 0) {
                throw new EOFException();
            }
        }
        return bytes.array();
    }

    private static int checksum(byte[] bytes, int from, int to) {
        var checksum = new CRC32C();
        checksum.update(bytes, from, to - from);
        return (int) checksum.getValue();
    }

    private static StreamCorruptedException damaged(String file) {
        return new StreamCorruptedException("entity dictionary " + file + " is damaged");
    }
}
