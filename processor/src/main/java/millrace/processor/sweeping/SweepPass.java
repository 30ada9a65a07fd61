package millrace.processor.sweeping;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import millrace.contracts.reports.ReportStatus;
import millrace.files.store.ReportStore;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Goes through files of a store once, some at a time: asks about their reports and deletes those that are over. */
final class SweepPass {
    private static final Logger LOG = LoggerFactory.getLogger(SweepPass.class);
    /** Names held in memory at a time. */
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

    /** Says which files may go. */
    interface Over {
        /** @param report null where the ledger does not know it */
        boolean isOver(Named file, @Nullable ReportStatus report);
    }

    /** @param mark of the ledger that is meant, null where any is */
    SweepPass(ReportStore store, StatusLookup ledgers, @Nullable LedgerMark mark, UnknownFileLimit unknown, Over over) {
        this.store = store;
        this.ledgers = ledgers;
        this.mark = mark;
        this.unknown = unknown;
        this.over = over;
    }

    /** Files with names that are none of ours are passed over. */
    void add(String name) throws IOException {
        FileOwner.of(name).ifPresent(owner -> files.add(new Named(name, owner)));
        if (files.size() == FILES_AT_ONCE) {
            ask();
        }
    }

    /** What the ledger can be known by; it is asked also where there was no file. */
    LedgerMark end() throws IOException {
        return mark == null || !asked || !files.isEmpty() ? ask() : mark;
    }

    int deleted() {
        return deleted;
    }

    private LedgerMark ask() throws IOException {
        StatusLookup.Known known =
                ledgers.of(files.stream().map(f -> f.owner().reportId()).collect(Collectors.toSet()), mark);
        long strange = files.stream()
                .filter(f -> !known.reports().containsKey(f.owner().reportId()))
                .count();
        unknown.add(files.size(), strange);
        for (Named file : files) {
            if (over.isOver(file, known.reports().get(file.owner().reportId()))) {
                LOG.debug("deleting {}", file.name());
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
