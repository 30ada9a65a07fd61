package millrace.runtime.repartition;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import millrace.contracts.Json;
import millrace.contracts.topics.LedgerStateKeys;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.utils.Utils;
import org.jspecify.annotations.Nullable;

/**
 * Divides the reports that are over, and their Idempotency-Keys, among partitions. The ledger keeps many in a row, the
 * rows of each partition being a linear hash table; here they are taken apart, and each new partition gets a table of its
 * own. Takes some 100 bytes for each report that is over.
 */
public final class EndedRows {
    /** Entries of a row, on average. */
    private static final int LOAD = 24;

    private static final int FORM = 1;
    private static final int KEY = 1;
    private static final int FILE = 2;
    private static final int USUAL_NAME = 4;
    private static final int FILTER_LISTS = 16;
    private static final int USUAL_NAME_BYTES = 18;
    private static final int TIME_BYTES = 5;

    private final Map<String, byte[]> rows = new HashMap<>();

    /**
     * An entry.
     *
     * @param bytes as they are in the row
     * @param place whose low bits say which row it is in
     * @param account the hash by which Kafka chooses the partition of its account
     * @param due in seconds since the epoch
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    public record Entry(byte[] bytes, long place, int account, long due) {}

    /** The size of a table, as the ledger writes it. */
    private record Size(int buckets) {
        int bucket(long place) {
            int whole = Integer.highestOneBit(buckets);
            int bucket = (int) (place & (2L * whole - 1));
            return bucket < buckets ? bucket : bucket & (whole - 1);
        }
    }

    /**
     * The row has this value now.
     *
     * @param row names the row among those of all partitions
     * @param value null where it is gone
     */
    void put(String row, byte @Nullable [] value) {
        if (value == null) {
            rows.remove(row);
        } else {
            rows.put(row, value);
        }
    }

    /** All records of a new partition. */
    List<RecordChange.Addition> of(int partition, int partitions, long timestamp) {
        List<Entry> entries = new ArrayList<>();
        rows.values().forEach(row -> {
            for (Entry entry : entries(row)) {
                if (Utils.toPositive(entry.account()) % partitions == partition) {
                    entries.add(entry);
                }
            }
        });
        List<RecordChange.Addition> records = new ArrayList<>();
        if (entries.isEmpty()) {
            return records;
        }
        var size = new Size((entries.size() + LOAD - 1) / LOAD);
        List<List<Entry>> buckets = new ArrayList<>(size.buckets());
        for (int bucket = 0; bucket < size.buckets(); bucket++) {
            buckets.add(new ArrayList<>());
        }
        entries.forEach(entry -> buckets.get(size.bucket(entry.place())).add(entry));
        for (int bucket = 0; bucket < size.buckets(); bucket++) {
            List<Entry> row = buckets.get(bucket);
            if (!row.isEmpty()) {
                long due = row.stream().mapToLong(Entry::due).min().orElse(0);
                String time = String.format(Locale.ROOT, "%016d", Math.max(0, due * 1000));
                records.add(addition(LedgerStateKeys.ENDED + "/" + bucket, row(row), timestamp));
                records.add(
                        addition(LedgerStateKeys.ENDED_AGENDA + "/" + time + "/" + bucket, new byte[] {0}, timestamp));
            }
        }
        records.add(addition(LedgerStateKeys.ENDED_SIZE + "/ledger", Json.bytes(size), timestamp));
        return records;
    }

    private static RecordChange.Addition addition(String key, byte[] value, long timestamp) {
        return new RecordChange.Addition(key.getBytes(StandardCharsets.UTF_8), value, timestamp);
    }

    /** The row of these entries. */
    public static byte[] row(List<Entry> entries) {
        var row = new ByteArrayOutputStream();
        row.write(FORM);
        entries.forEach(entry -> row.writeBytes(entry.bytes()));
        return row.toByteArray();
    }

    /**
     * The entries of a row.
     *
     * @throws SerializationException where it is none
     */
    public static List<Entry> entries(byte[] row) {
        List<Entry> entries = new ArrayList<>();
        try (var in = new DataInputStream(new ByteArrayInputStream(row))) {
            int form = in.readByte();
            if (form != FORM) {
                throw new SerializationException("the ledger's state has reports that are over in form " + form
                        + ", and this build knows form " + FORM);
            }
            while (in.available() > 0) {
                entries.add(entry(row, in));
            }
            return entries;
        } catch (IOException e) {
            throw new SerializationException("the ledger's state has a row that is not one of reports", e);
        }
    }

    private static Entry entry(byte[] row, DataInputStream in) throws IOException {
        int begin = row.length - in.available();
        int what = in.readByte();
        if (what == KEY) {
            long place = in.readLong();
            int account = in.readInt();
            return entry(row, in, begin, place, account, time(in));
        }
        var id = new UUID(in.readLong(), in.readLong());
        int account = Utils.murmur2(in.readUTF().getBytes(StandardCharsets.UTF_8));
        in.readByte(); // the attempt
        long due = time(in);
        if ((what & FILE) != 0) {
            if ((what & USUAL_NAME) == 0) {
                String unused = in.readUTF();
            } else {
                in.skipNBytes(USUAL_NAME_BYTES);
            }
            due = Math.min(due, time(in));
        }
        for (int lists = (what & FILTER_LISTS) == 0 ? 0 : in.readUnsignedByte(); lists > 0; lists--) {
            String unused = in.readUTF();
        }
        return entry(row, in, begin, place(id), account, due);
    }

    private static Entry entry(byte[] row, DataInputStream in, int begin, long place, int account, long due)
            throws IOException {
        return new Entry(Arrays.copyOfRange(row, begin, row.length - in.available()), place, account, due);
    }

    /** As the ledger has it. */
    private static long place(UUID id) {
        long bits = id.getMostSignificantBits() ^ Long.rotateLeft(id.getLeastSignificantBits(), 32);
        long x = (bits ^ (bits >>> 33)) * 0xff51afd7ed558ccdL;
        x = (x ^ (x >>> 33)) * 0xc4ceb9fe1a85ec53L;
        return x ^ (x >>> 33);
    }

    private static long time(DataInputStream in) throws IOException {
        byte[] bytes = in.readNBytes(TIME_BYTES);
        if (bytes.length < TIME_BYTES) {
            throw new IOException("a time is cut off");
        }
        long seconds = 0;
        for (byte part : bytes) {
            seconds = (seconds << 8) | (part & 0xff);
        }
        return seconds;
    }
}
