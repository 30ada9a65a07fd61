package millrace.processor.sweeping;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import millrace.files.store.ReportStore;

/**
 * Deletes from the report store what nobody needs: parts of ended attempts, files whose answer was lost or came second, results
 * that have expired, lists of forgotten reports, and what dead writers left. Any number of processors may do so at once.
 *
 * <p>First files that are old are found, then the ledger is asked about their reports. So a file that the ledger does not want
 * by then is wanted never again: whoever makes a file names it to the ledger within a time much shorter than that age.
 *
 * <p>That is true of one ledger alone. The store remembers which one swept it, and where its history stood; a store that remembers
 * none belongs to the first ledger that knows its files.
 */
final class Sweep {
    /** A file that was written since may be one that the ledger is about to hear of. */
    private static final Duration ON_ITS_WAY = Duration.ofMinutes(1);

    private final ReportStore store;
    private final LedgerMarkFile markFile;
    private final StatusLookup ledgers;
    private final SweepSettings settings;

    Sweep(ReportStore store, StatusLookup ledgers, SweepSettings settings) {
        this.store = store;
        this.markFile = new LedgerMarkFile(store);
        this.ledgers = ledgers;
        this.settings = settings;
    }

    /** How much was deleted: finished files, and unfinished ones. */
    record Swept(int files, int unfinished) {}

    /** @throws SweepRefusedException where the ledger may not be that of the store */
    Swept run(Instant now) throws IOException {
        Instant before = now.minus(settings.age());
        int unfinished = store.deleteUnfinished(before);
        Optional<LedgerMark> mark = markFile.read();
        LedgerMark known = mark.isPresent() ? mark.get() : adopt(now);
        var pass = new SweepPass(
                store,
                ledgers,
                known,
                new UnknownFileLimit(UnknownFileLimit.FEW, settings.unknownPercent()),
                (file, report) -> FileReferences.isOver(file.owner(), file.name(), report, before));
        store.visit(before, pass::add);
        markFile.write(pass.end());
        return new Swept(pass.deleted(), unfinished);
    }

    /** Looks whether the ledger knows the files, and deletes none. */
    private LedgerMark adopt(Instant now) throws IOException {
        var pass = new SweepPass(
                store, ledgers, null, new UnknownFileLimit(0, settings.unknownPercent()), (file, report) -> false);
        store.visit(now.minus(ON_ITS_WAY), pass::add);
        return pass.end();
    }
}
