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

/**
 * One pass over the files of a store. Looks up their reports, many at a time, and deletes the unneeded files. A few files
 * of reports that the ledger does not know are normal: lists of requests that Kafka did not acknowledge, and files of
 * forgotten reports. Many mean that the store belongs to another ledger.
 */
final class SweepPass {
    private static final Logger LOG = LoggerFactory.getLogger(SweepPass.class);
    /** Number of names held in memory at a time. */
    private static final int FILES_AT_ONCE = 50_000;

    private final ReportStore store;
    private final StatusLookup ledgers;
    private final int few;
    private final int percent;
    private final Over over;
    private final List<Named> files = new ArrayList<>();
    private @Nullable LedgerMark mark;
    private long seen;
    private long unknown;
    private boolean asked;
    private int deleted;

    record Named(String name, FileOwner owner) {}

    /** Decides which files may be deleted. */
    interface Over {
        /** @param report status of the file's report, null where the ledger does not know it */
        boolean isOver(Named file, @Nullable ReportStatus report);
    }

    /**
     * @param mark the mark that the ledger must have, null for any ledger
     * @param few number of unknown files that is always allowed
     * @param percent largest share of unknown files above that number
     */
    SweepPass(ReportStore store, StatusLookup ledgers, @Nullable LedgerMark mark, int few, int percent, Over over) {
        this.store = store;
        this.ledgers = ledgers;
        this.mark = mark;
        this.few = few;
        this.percent = percent;
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
        seen += files.size();
        unknown += files.stream()
                .filter(f -> !known.reports().containsKey(f.owner().reportId()))
                .count();
        if (unknown > few && unknown * 100 > seen * percent) {
            throw new SweepRefusedException(
                    "the ledger knows nothing of " + unknown + " of " + seen + " files, more than "
                            + percent
                            + " percent. Is this the store of this Kafka (storage.reports, kafka.bootstrap.servers), and"
                            + " has Kafka lost nothing? If nobody needs these files, start once with"
                            + " --processor.sweep.unknown-percent 100");
        }
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
