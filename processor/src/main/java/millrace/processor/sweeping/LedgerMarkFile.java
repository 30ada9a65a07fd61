package millrace.processor.sweeping;

import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.file.NoSuchFileException;
import java.util.Optional;
import millrace.contracts.Json;
import millrace.files.store.ReportFileWriter;
import millrace.files.store.ReportStore;

/** The file of a report store that says whose it is. */
final class LedgerMarkFile {
    static final String NAME = "ledger.json";

    private final ReportStore store;

    LedgerMarkFile(ReportStore store) {
        this.store = store;
    }

    /**
     * Empty where nobody has swept the store yet.
     *
     * @throws IOException also where the file is none of ours
     */
    Optional<LedgerMark> read() throws IOException {
        try (InputStream in = Channels.newInputStream(store.open(NAME))) {
            return Optional.of(Json.MAPPER.readValue(in, LedgerMark.class));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
    }

    /** Of two who write at once one stays; each is right. */
    void write(LedgerMark mark) throws IOException {
        try (ReportFileWriter out = store.create(NAME)) {
            out.write(Json.bytes(mark));
            out.commit();
        }
    }
}
