package millrace.processor.ledger.state;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import millrace.processor.ledger.decide.EndedReport;
import org.apache.kafka.streams.errors.StreamsException;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of a row of {@link EndedReports}: its form, and the entries one after the other. The first byte of an entry
 * says what follows. Form 2 is a row with a report in parts, of which earlier builds would delete one file only.
 */
final class EndedRow {
    private static final int FORM = 1;
    private static final int FORM_WITH_PARTS = 2;

    private static final int KEY = 1;
    private static final int FILE = 2;
    /** The name of the file is an {@link EndedFileName}, and not a text. */
    private static final int USUAL_NAME = 4;

    private static final int ENTITY_LIST = 8;
    private static final int FILTER_LISTS = 16;
    /** The file is the folder of the last attempt, which needs no name. */
    private static final int FOLDER = 32;

    /** Where the account of a report is, behind the first byte and the report's id. */
    private static final int ACCOUNT = 1 + 2 * Long.BYTES;

    private EndedRow() {}

    /** The entries of a row, or none if there is no row. */
    static List<EndedEntry> decode(byte @Nullable [] row) {
        List<EndedEntry> entries = new ArrayList<>();
        if (row == null) {
            return entries;
        }
        ByteBuffer in = ByteBuffer.wrap(row);
        try {
            int form = in.get();
            if (form != FORM && form != FORM_WITH_PARTS) {
                throw new StreamsException("the ledger's state has ended reports of form " + form
                        + ", and this build knows it up to form " + FORM_WITH_PARTS);
            }
            while (in.hasRemaining()) {
                entries.add(next(in));
            }
            return entries;
        } catch (BufferUnderflowException e) {
            throw new StreamsException("the store holds what is no ended report", e);
        }
    }

    /** The row of these entries; null for none. */
    static byte @Nullable [] encode(List<EndedEntry> entries) {
        if (entries.isEmpty()) {
            return null;
        }
        int length = entries.stream().mapToInt(entry -> entry.bytes().length).sum();
        boolean parts = entries.stream().anyMatch(entry -> (entry.bytes()[0] & FOLDER) != 0);
        ByteBuffer out = ByteBuffer.allocate(1 + length).put((byte) (parts ? FORM_WITH_PARTS : FORM));
        entries.forEach(entry -> out.put(entry.bytes()));
        return out.array();
    }

    private static EndedEntry next(ByteBuffer in) {
        int begin = in.position();
        int what = in.get();
        if (what == KEY) {
            long place = in.getLong();
            int account = in.getInt();
            long due = seconds(in);
            return new EndedEntry.OfKey(since(begin, in), place, account, Instant.ofEpochSecond(due));
        }
        var id = new UUID(in.getLong(), in.getLong());
        skipText(in); // the account
        in.get(); // the attempt
        long due = seconds(in);
        if ((what & FILE) != 0) {
            if ((what & USUAL_NAME) != 0) {
                skip(EndedFileName.BYTES, in);
            } else if ((what & FOLDER) == 0) {
                skipText(in);
            }
            due = Math.min(due, seconds(in));
        }
        int lists = (what & FILTER_LISTS) == 0 ? 0 : Byte.toUnsignedInt(in.get());
        for (; lists > 0; lists--) {
            skipText(in);
        }
        return new EndedEntry.OfReport(since(begin, in), id, Instant.ofEpochSecond(due));
    }

    private static byte[] since(int begin, ByteBuffer in) {
        var bytes = new byte[in.position() - begin];
        in.get(begin, bytes);
        return bytes;
    }

    private static void skipText(ByteBuffer in) {
        skip(Short.toUnsignedInt(in.getShort()), in);
    }

    private static void skip(int bytes, ByteBuffer in) {
        if (bytes > in.remaining()) {
            throw new BufferUnderflowException();
        }
        in.position(in.position() + bytes);
    }

    /** The entry of a key. */
    static byte[] bytes(long place, int account, Instant due) {
        return written(out -> {
            out.writeByte(KEY);
            out.writeLong(place);
            out.writeInt(account);
            write(due, out);
        });
    }

    /** The entry of a report. */
    static byte[] bytes(String account, EndedReport report) {
        return written(out -> write(account, report, out));
    }

    private interface Content {
        void write(DataOutputStream out) throws IOException;
    }

    private static byte[] written(Content content) {
        var bytes = new ByteArrayOutputStream(64);
        try (var out = new DataOutputStream(bytes)) {
            content.write(out);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    private static void write(String account, EndedReport report, DataOutputStream out) throws IOException {
        EndedFileName usual = EndedFileName.of(report);
        boolean folder = EndedReport.folder(report.id(), report.attempt()).equals(report.file());
        List<String> lists = report.filterLists();
        out.writeByte((report.file() == null ? 0 : FILE)
                | (usual == null ? 0 : USUAL_NAME)
                | (folder ? FOLDER : 0)
                | (report.entityList() ? ENTITY_LIST : 0)
                | (lists.isEmpty() ? 0 : FILTER_LISTS));
        out.writeLong(report.id().getMostSignificantBits());
        out.writeLong(report.id().getLeastSignificantBits());
        out.writeUTF(account);
        out.writeByte(report.attempt());
        write(report.knownUntil(), out);
        if (usual != null) {
            usual.write(out);
        } else if (report.file() != null && !folder) {
            out.writeUTF(report.file());
        }
        if (report.fileDue() != null) {
            write(report.fileDue(), out);
        }
        if (!lists.isEmpty()) {
            out.writeByte(lists.size());
            for (String list : lists) {
                out.writeUTF(list);
            }
        }
    }

    /** The account of the entry of a report. */
    static String account(byte[] entry) {
        try (var in = new DataInputStream(new ByteArrayInputStream(entry, ACCOUNT, entry.length - ACCOUNT))) {
            return in.readUTF();
        } catch (IOException e) {
            throw new StreamsException("the store holds what is no ended report", e);
        }
    }

    /** The report of an entry. */
    static EndedReport report(byte[] entry) {
        try (var in = new DataInputStream(new ByteArrayInputStream(entry))) {
            int what = in.readByte();
            var id = new UUID(in.readLong(), in.readLong());
            String unused = in.readUTF(); // the account
            int attempt = in.readByte();
            Instant knownUntil = readTime(in);
            String file = null;
            Instant fileDue = null;
            if ((what & FILE) != 0) {
                file = (what & USUAL_NAME) != 0
                        ? EndedFileName.read(in).name(id, attempt)
                        : (what & FOLDER) != 0 ? EndedReport.folder(id, attempt) : in.readUTF();
                fileDue = readTime(in);
            }
            List<String> lists = new ArrayList<>();
            int left = (what & FILTER_LISTS) == 0 ? 0 : in.readUnsignedByte();
            for (; left > 0; left--) {
                lists.add(in.readUTF());
            }
            boolean entityList = (what & ENTITY_LIST) != 0;
            return new EndedReport(id, attempt, file, fileDue, knownUntil, entityList, lists);
        } catch (IOException | IndexOutOfBoundsException e) {
            throw new StreamsException("the store holds what is no ended report", e);
        }
    }

    /** Seconds in 5 bytes, which are enough for 34,000 years. */
    private static void write(Instant time, DataOutputStream out) throws IOException {
        long seconds = time.getEpochSecond();
        out.writeByte((int) (seconds >>> 32));
        out.writeInt((int) seconds);
    }

    private static Instant readTime(DataInputStream in) throws IOException {
        long high = in.readUnsignedByte();
        return Instant.ofEpochSecond((high << 32) | Integer.toUnsignedLong(in.readInt()));
    }

    private static long seconds(ByteBuffer in) {
        long high = Byte.toUnsignedLong(in.get());
        return (high << 32) | Integer.toUnsignedLong(in.getInt());
    }
}
