package millrace.processor.retention;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import millrace.contracts.reports.ReportStatus;
import millrace.files.entities.EntityDictionary;
import millrace.files.store.ReportStore;
import millrace.processor.warehouse.DataVersions;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lists the report store and deletes unneeded files that nobody has handed out for deletion: files whose answer was
 * lost with its worker, lists of requests that Kafka did not acknowledge, unfinished files of dead writers, files of
 * reports of earlier builds, and what could not be deleted when it was handed out. Several processors may sweep at once.
 *
 * <p>It finds old files first and then looks up their reports. A worker names a file to the ledger within a time much
 * shorter than that age, so a file that the ledger does not need by then will never be needed.
 *
 * <p>This holds for one ledger only. The store keeps a mark of the ledger that swept it; a store without a mark belongs
 * to the first ledger that knows its files.
 */
final class Sweep {
    private static final Logger LOG = LoggerFactory.getLogger(Sweep.class);
    /** The answer for a younger file may be on its way to the ledger. */
    private static final Duration ON_ITS_WAY = Duration.ofMinutes(1);
    /** Number of unknown files that is always allowed in a store that this ledger has swept before. */
    static final int FEW_UNKNOWN = 300;

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

    /**
     * Compares the ledger with the mark of the store and renews the mark, so that a restore of Kafka to an earlier point
     * is noticed between two listings, too. Deletes entity dictionaries, which are few, of versions that the warehouse
     * does not have. If another processor needs one all the same, it is built again.
     *
     * @return number of deleted dictionaries
     * @throws SweepRefusedException where the store may belong to another ledger
     */
    int check(Instant now) throws IOException {
        Optional<LedgerMark> known = markFile.read();
        if (known.isEmpty()) {
            return 0;
        }
        LedgerMark mark = known.get();
        markFile.write(ledgers.mark(mark).listed(mark.listedAt()));
        Map<String, Set<String>> dictionaries = new HashMap<>();
        store.visit(EntityDictionary.FOLDER, now.minus(settings.age()), name -> EntityDictionary.datasetOf(name)
                .ifPresent(dataset -> dictionaries
                        .computeIfAbsent(dataset, d -> new HashSet<>())
                        .add(name)));
        int deleted = 0;
        for (Map.Entry<String, Set<String>> entry : dictionaries.entrySet()) {
            Set<String> unneeded = entry.getValue();
            for (String version : versions.versions(entry.getKey())) {
                unneeded.remove(EntityDictionary.fileName(entry.getKey(), version));
            }
            for (String name : unneeded) {
                LOG.debug("deleting file={}", name);
                store.delete(name);
            }
            deleted += unneeded.size();
        }
        return deleted;
    }

    /** Whether no processor has listed the store for so long. */
    boolean isDue(Instant now) throws IOException {
        Instant listed = markFile.read().map(LedgerMark::listedAt).orElse(null);
        return listed == null
                || listed.isAfter(now)
                || !listed.plus(settings.interval()).isAfter(now);
    }

    /**
     * Lists the store.
     *
     * @throws SweepRefusedException where the store may belong to another ledger
     */
    Swept run(Instant now) throws IOException {
        Instant before = now.minus(settings.age());
        int unfinished = store.deleteUnfinished(before);
        Optional<LedgerMark> mark = markFile.read();
        LedgerMark known = mark.isPresent() ? mark.get() : adopt(now);
        var pass = new SweepPass(
                store,
                ledgers,
                known,
                FEW_UNKNOWN,
                settings.unknownPercent(),
                (file, report) -> isOver(file.owner(), file.name(), report, before));
        store.visit(before, pass::add);
        markFile.write(pass.end().listed(now));
        return new Swept(pass.deleted(), unfinished);
    }

    /**
     * Whether the file may be deleted.
     *
     * @param report the newest status of its report, null if the report is unknown or forgotten
     * @param expired results that expired before this time are not needed
     */
    private static boolean isOver(FileOwner file, String name, @Nullable ReportStatus report, Instant expired) {
        if (report == null) {
            return true;
        }
        return switch (file) {
            case FileOwner.RequestList list -> false;
            case FileOwner.Part part ->
                switch (report.status()) {
                    case PROCESSING -> false;
                    case COMPLETE -> !isResult(name, report, expired);
                    // A retry writes its own files.
                    case INTERNAL_ERROR -> true;
                };
        };
    }

    /** Of a report in parts, the whole folder of its attempt. */
    private static boolean isResult(String name, ReportStatus report, Instant expired) {
        ReportStatus.Result result = report.result();
        if (result == null || !result.expiresAt().isAfter(expired)) {
            return false;
        }
        String file = result.file().name();
        return result.parts() == null
                ? name.equals(file)
                : name.startsWith(file.substring(0, file.lastIndexOf('/') + 1));
    }

    /** Checks that the ledger knows the files, without deleting any. */
    private LedgerMark adopt(Instant now) throws IOException {
        var pass = new SweepPass(store, ledgers, null, 0, settings.unknownPercent(), (file, report) -> false);
        store.visit(now.minus(ON_ITS_WAY), pass::add);
        return pass.end();
    }
}
