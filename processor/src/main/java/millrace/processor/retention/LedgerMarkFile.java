package millrace.processor.retention;

import com.fasterxml.jackson.core.JacksonException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.file.NoSuchFileException;
import java.util.Optional;
import millrace.contracts.Json;
import millrace.files.store.ReportStore;

/** Reads and writes the {@link LedgerMark} of a report store. */
final class LedgerMarkFile {
    static final String NAME = "ledger.json";

    private final ReportStore store;

    LedgerMarkFile(ReportStore store) {
        this.store = store;
    }

    /**
     * The mark; empty where the store has not been swept yet.
     *
     * @throws SweepRefusedException where the file is not a mark
     */
    Optional<LedgerMark> read() throws IOException {
        try (InputStream in = Channels.newInputStream(store.open(NAME))) {
            LedgerMark mark = Json.MAPPER.readValue(in, LedgerMark.class);
            if (mark == null) {
                throw damaged("it is null");
            }
            return Optional.of(mark);
        } catch (JacksonException e) {
            throw damaged(e.getOriginalMessage());
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
    }

    private static SweepRefusedException damaged(String reason) {
        return new SweepRefusedException("its file " + NAME + " is damaged: " + reason
                + ". It says which Kafka the store belongs to. Restore it from a copy; or, if the store belongs to this"
                + " Kafka and to no other, delete it, and it is written again");
    }

    /** Replaces the mark. Where two processors write at once either mark may stay, since both are correct. */
    void write(LedgerMark mark) throws IOException {
        store.replace(NAME, Json.bytes(mark));
    }
}
