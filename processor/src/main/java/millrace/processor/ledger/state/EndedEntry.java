package millrace.processor.ledger.state;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.UUID;
import millrace.contracts.Hashes;
import millrace.processor.ledger.decide.EndedReport;
import org.apache.kafka.common.utils.Utils;

/**
 * An entry of {@link EndedReports}: a report, or an Idempotency-Key that belongs to one. Entries are bytes, since there
 * are many: 35 to 65 for a report, 18 for a key. They stay bytes while their row is changed by another entry. Two entries
 * are equal if their bytes are.
 */
@SuppressWarnings("ArrayRecordComponent") // compared by their content
sealed interface EndedEntry {
    /** As in the row. */
    byte[] bytes();

    /** Which row the entry is in follows from these bits, all of which differ from entry to entry. */
    long place();

    Instant due();

    /** The hash of its account by which Kafka chooses partitions, so that entries can be divided among others. */
    int accountHash();

    private static int hash(String account) {
        return Utils.murmur2(account.getBytes(StandardCharsets.UTF_8));
    }

    /** A report. Its account is needed when it is due. */
    record OfReport(byte[] bytes, UUID id, Instant due) implements EndedEntry {
        static OfReport of(String account, EndedReport report) {
            return new OfReport(EndedRow.bytes(account, report), report.id(), report.due());
        }

        static long place(UUID id) {
            return mixed(id.getMostSignificantBits() ^ Long.rotateLeft(id.getLeastSignificantBits(), 32));
        }

        @Override
        public long place() {
            return place(id);
        }

        boolean is(String account, UUID reportId) {
            return id.equals(reportId) && account().equals(account);
        }

        String account() {
            return EndedRow.account(bytes);
        }

        @Override
        public int accountHash() {
            return hash(account());
        }

        EndedReport report() {
            return EndedRow.report(bytes);
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof OfReport report && Arrays.equals(bytes, report.bytes);
        }

        @Override
        public int hashCode() {
            return Arrays.hashCode(bytes);
        }

        /** Ids may be made from anything, so that their bits are mixed. */
        private static long mixed(long bits) {
            long x = (bits ^ (bits >>> 33)) * 0xff51afd7ed558ccdL;
            x = (x ^ (x >>> 33)) * 0xc4ceb9fe1a85ec53L;
            return x ^ (x >>> 33);
        }
    }

    /**
     * An Idempotency-Key of an account. If an account has ten million keys, one new key in 10^12 is taken for another
     * one.
     *
     * @param place 64 bits of the hash of account and key
     * @param due when the key is free again, a whole second
     */
    record OfKey(byte[] bytes, long place, int accountHash, Instant due) implements EndedEntry {
        static OfKey of(String account, String keyHash, Instant due) {
            byte[] hash = Hashes.sha256().digest((account + "/" + keyHash).getBytes(StandardCharsets.UTF_8));
            long place = ByteBuffer.wrap(hash).getLong();
            int accountHash = hash(account);
            Instant second = Instant.ofEpochSecond(due.getEpochSecond());
            return new OfKey(EndedRow.bytes(place, accountHash, second), place, accountHash, second);
        }

        boolean isSame(OfKey other) {
            return place == other.place && accountHash == other.accountHash;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof OfKey key && Arrays.equals(bytes, key.bytes);
        }

        @Override
        public int hashCode() {
            return Arrays.hashCode(bytes);
        }
    }
}
