package millrace.processor.sweeping;

import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.file.NoSuchFileException;
import java.util.Optional;
import millrace.contracts.Json;
import millrace.files.store.ReportFileWriter;
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
     * @throws IOException also where the file is not a mark
     */
    Optional<LedgerMark> read() throws IOException {
        try (InputStream in = Channels.newInputStream(store.open(NAME))) {
            return Optional.of(Json.MAPPER.readValue(in, LedgerMark.class));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
    }

    /** Replaces the mark. Where two processors write at once either mark may stay, since both are correct. */
    void write(LedgerMark mark) throws IOException {
        try (ReportFileWriter out = store.create(NAME)) {
            out.write(Json.bytes(mark));
            out.commit();
        }
    }
}
