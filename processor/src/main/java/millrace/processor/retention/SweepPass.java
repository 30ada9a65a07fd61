package millrace.processor.retention;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import millrace.contracts.reports.ReportStatus;
import millrace.files.store.ReportStore;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One pass over the files of a store. Looks up their reports, many at a time, and deletes the unneeded files. */
final class SweepPass {
    private static final Logger LOG = LoggerFactory.getLogger(SweepPass.class);
    /** Number of names held in memory at a time. */
    private static final int FILES_AT_ONCE = 50_000;

    private final ReportStore store;
    private final StatusLookup ledgers;
    private final UnknownFileLimit unknown;
    private final Over over;
    private final List<Named> files = new ArrayList<>();
    private @Nullable LedgerMark mark;
    private boolean asked;
    private int deleted;

    record Named(String name, FileOwner owner) {}

    /** Decides which files may be deleted. */
    interface Over {
        /** @param report status of the file's report, null where the ledger does not know it */
        boolean isOver(Named file, @Nullable ReportStatus report);
    }

    /** @param mark the mark that the ledger must have, null for any ledger */
    SweepPass(ReportStore store, StatusLookup ledgers, @Nullable LedgerMark mark, UnknownFileLimit unknown, Over over) {
        this.store = store;
        this.ledgers = ledgers;
        this.mark = mark;
        this.unknown = unknown;
        this.over = over;
    }

    /** Adds a file. Names that Millrace does not give are ignored. */
    void add(String name) throws IOException {
        FileOwner.of(name).ifPresent(owner -> files.add(new Named(name, owner)));
        if (files.size() == FILES_AT_ONCE) {
            ask();
        }
    }

    /** Ends the pass and returns the mark of the ledger. At least one lookup is made, also without files. */
    LedgerMark end() throws IOException {
        return mark == null || !asked || !files.isEmpty() ? ask() : mark;
    }

    int deleted() {
        return deleted;
    }

    private LedgerMark ask() throws IOException {
        StatusLookup.Known known =
                ledgers.of(files.stream().map(f -> f.owner().reportId()).collect(Collectors.toSet()), mark);
        long unknownFiles = files.stream()
                .filter(f -> !known.reports().containsKey(f.owner().reportId()))
                .count();
        unknown.add(files.size(), unknownFiles);
        for (Named file : files) {
            if (over.isOver(file, known.reports().get(file.owner().reportId()))) {
                LOG.debug("deleting file={}", file.name());
                store.delete(file.name());
                deleted++;
            }
        }
        files.clear();
        asked = true;
        mark = known.mark();
        return mark;
    }
}
