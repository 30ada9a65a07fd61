package millrace.processor.sweeping;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import millrace.files.store.ReportStore;
import millrace.processor.warehouse.DataVersions;

/**
 * Deletes unneeded files from the report store: parts of ended attempts, files whose answer was lost or came second,
 * expired results, lists of forgotten reports, unfinished files of dead writers, and entity dictionaries of versions
 * that the warehouse does not have any more. Several processors may sweep at once.
 *
 * <p>It finds old files first and then looks up their reports. A worker names a file to the ledger within a time much
 * shorter than that age, so a file that the ledger does not need by then will never be needed.
 *
 * <p>This holds for one ledger only. The store keeps a mark of the ledger that swept it; a store without a mark belongs
 * to the first ledger that knows its files.
 */
final class Sweep {
    /** The answer for a younger file may be on its way to the ledger. */
    private static final Duration ON_ITS_WAY = Duration.ofMinutes(1);

    private final ReportStore store;
    private final LedgerMarkFile markFile;
    private final StatusLookup ledgers;
    private final DataVersions versions;
    private final SweepSettings settings;

    Sweep(ReportStore store, StatusLookup ledgers, DataVersions versions, SweepSettings settings) {
        this.store = store;
        this.markFile = new LedgerMarkFile(store);
        this.ledgers = ledgers;
        this.versions = versions;
        this.settings = settings;
    }

    /** The numbers of deleted files. */
    record Swept(int files, int unfinished) {}

    /** @throws SweepRefusedException where the store may belong to another ledger */
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
        var dictionaries = new UnneededDictionaries(store, versions);
        store.visit(before, name -> {
            pass.add(name);
            dictionaries.add(name);
        });
        markFile.write(pass.end());
        // Not before this store is known to belong to this ledger.
        return new Swept(pass.deleted() + dictionaries.delete(), unfinished);
    }

    /** Checks that the ledger knows the files, without deleting any. */
    private LedgerMark adopt(Instant now) throws IOException {
        var pass = new SweepPass(
                store, ledgers, null, new UnknownFileLimit(0, settings.unknownPercent()), (file, report) -> false);
        store.visit(now.minus(ON_ITS_WAY), pass::add);
        return pass.end();
    }
}
