package millrace.processor.sweeping;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import millrace.contracts.ReportStatus;
import millrace.files.ReportStore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes from the report store what nobody needs: parts of ended attempts, files whose answer was lost or came second, results
 * that have expired, lists of forgotten reports, and what dead writers left. Any number of processors may do so at once.
 *
 * <p>First files that are old are found, then the ledger is asked about their reports. So a file that the ledger does not want
 * by then is wanted never again: whoever makes a file names it to the ledger within a time much shorter than that age.
 */
final class Sweep {
    private static final Logger LOG = LoggerFactory.getLogger(Sweep.class);
    /** Names held in memory at a time. */
    private static final int FILES_AT_ONCE = 50_000;

    private final ReportStore store;
    private final Ledgers ledgers;
    private final Duration age;

    /** Tells of reports what is known. */
    interface Ledgers {
        /** As {@link LedgerView#of}. */
        Map<UUID, ReportStatus> of(Collection<UUID> reports) throws IOException;
    }

    private record Old(String name, FileOwner owner) {}

    Sweep(ReportStore store, Ledgers ledgers, Duration age) {
        this.store = store;
        this.ledgers = ledgers;
        this.age = age;
    }

    /** How much was deleted: finished files, and unfinished ones. */
    record Swept(int files, int unfinished) {}

    Swept run(Instant now) throws IOException {
        Instant before = now.minus(age);
        int unfinished = store.deleteUnfinished(before);
        var chunk = new Chunk(before);
        store.visit(before, chunk::add);
        chunk.flush();
        return new Swept(chunk.deleted, unfinished);
    }

    private final class Chunk {
        private final Instant before;
        private final List<Old> files = new ArrayList<>();
        private int deleted;

        Chunk(Instant before) {
            this.before = before;
        }

        void add(String name) throws IOException {
            var owner = FileOwner.of(name);
            if (owner.isPresent()) {
                files.add(new Old(name, owner.get()));
            }
            if (files.size() == FILES_AT_ONCE) {
                flush();
            }
        }

        void flush() throws IOException {
            if (files.isEmpty()) {
                return;
            }
            Map<UUID, ReportStatus> known =
                    ledgers.of(files.stream().map(f -> f.owner().reportId()).collect(Collectors.toSet()));
            for (Old file : files) {
                ReportStatus report = known.get(file.owner().reportId());
                if (Need.isOver(file.owner(), file.name(), report, before)) {
                    LOG.debug("deleting {}", file.name());
                    store.delete(file.name());
                    deleted++;
                }
            }
            files.clear();
        }
    }
}
