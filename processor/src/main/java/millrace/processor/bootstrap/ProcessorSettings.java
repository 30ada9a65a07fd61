package millrace.processor.bootstrap;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import millrace.files.StorageSettings;
import millrace.processor.ledger.decide.LedgerRules;
import millrace.processor.ledger.streams.StreamsSettings;
import millrace.processor.rendering.tasks.RenderSettings;
import millrace.processor.retention.SweepSettings;
import millrace.processor.warehouse.duckdb.DuckDbSettings;
import millrace.processor.warehouse.jdbc.JdbcSettings;
import millrace.runtime.settings.Setting;

/**
 * Settings of the processor, below {@code processor}.
 *
 * @param state one process at a time uses it
 */
public record ProcessorSettings(
        @Setting(value = "data/state", doc = "folder of the ledger's local state, rebuilt from Kafka where missing")
        Path state,

        @Setting(
                value = "data/warehouse",
                first = true,
                doc = "the data that reports are rendered from: a folder, jdbc:postgresql://… or jdbc:trino://…")
        String warehouse,

        @Setting(value = "http://127.0.0.1:8080", doc = "address that clients use, for download links in webhooks")
        URI publicAddress,

        StorageSettings storage,

        @Setting(value = "1", doc = "threads of the ledger; more than partitions are idle")
        int threads,

        @Setting(
                value = "1",
                doc = "copies of the ledger's state that other processors keep warm, where there are others")
        int standbys,

        @Setting(
                value = "100ms",
                advanced = true,
                doc = "how long a transaction of the ledger gathers decisions at most; shorter while commits are quick")
        Duration commitInterval,

        Slicing slice,
        Turns inFlight,
        Times keep,
        SweepSettings sweep,
        RenderSettings rendering,
        DuckDbSettings duckdb,
        JdbcSettings jdbc) {
    public static final String PREFIX = "processor";

    /**
     * The interval in which Streams commits by itself. Steps ask for the commit of all that they decide, so this is for
     * offsets and timers that only move. It is shorter than a transaction may last.
     */
    private static final Duration LEFT_OVER = Duration.ofSeconds(5);

    public ProcessorSettings {
        if (threads < 1 || standbys < 0) {
            throw new IllegalArgumentException("threads must be at least 1 and standbys not negative");
        }
        if (sweep.age().compareTo(rendering.timeLimit()) <= 0) {
            throw new IllegalArgumentException("sweep.age must be longer than rendering.time-limit");
        }
        if (!commitInterval.isPositive()) {
            throw new IllegalArgumentException("commit-interval must be longer than nothing");
        }
    }

    /** How reports are cut; a slice should take about 250 ms. */
    public record Slicing(
            @Setting(value = "100000", advanced = true, doc = "estimated rows of a slice")
            long rows,

            @Setting(value = "500", advanced = true, doc = "most domains or keywords of a slice")
            int entities,

            @Setting(value = "1000", advanced = true, doc = "most slices of a report")
            int most) {}

    /** What is handed out to the render workers at once. */
    public record Turns(
            @Setting(value = "4", advanced = true, doc = "most slices of one report that are handed out at once")
            int report,

            @Setting(value = "8", advanced = true, doc = "most slices of one account that are handed out at once")
            int account,

            @Setting(
                    value = "64",
                    advanced = true,
                    doc = "most small reports of one account that are handed out at once")
            int small) {}

    /** How long things last. */
    public record Times(
            @Setting(
                    value = "30s",
                    advanced = true,
                    doc = "how long after the last word of its worker a slice is handed out again")
            Duration lease,

            @Setting(
                    value = "1d",
                    formerly = "processor.keep.patience",
                    advanced = true,
                    doc = "how long a slice may wait for a worker before it is handed out again")
            Duration waitTimeout,

            @Setting(
                    value = "30d",
                    first = true,
                    doc = "how long the file of a report can be downloaded if its request does not say")
            Duration files,

            @Setting(value = "365d", doc = "how long it can be downloaded at most, whatever the request says")
            Duration mostFiles,

            @Setting(value = "400d", doc = "how long a report is known after its end")
            Duration reports,

            @Setting(value = "29d", advanced = true, doc = "how often the ledger says where each account stands")
            Duration opening,

            @Setting(
                    value = "1d",
                    doc = "how long a version of the data stays that is not current and that no open report reads")
            Duration versions) {
        public Times {
            // What is read is marked twice a minute.
            if (versions.compareTo(Duration.ofMinutes(5)) < 0) {
                throw new IllegalArgumentException("versions must be at least 5m: " + versions);
            }
            // An id is never given twice, because those of a day are known until its end.
            if (reports.compareTo(Duration.ofDays(1)) < 0) {
                throw new IllegalArgumentException("reports must be at least 1d: " + reports);
            }
        }
    }

    /** What a processor writes to. */
    public List<Path> folders() {
        return Stream.concat(Stream.of(state, duckdb.tempDirectory()), storage.folder().stream())
                .toList();
    }

    public StreamsSettings streams() {
        return new StreamsSettings(state, threads, standbys, LEFT_OVER);
    }

    public LedgerRules rules() {
        return new LedgerRules(
                new LedgerRules.Slicing(slice.rows, slice.entities, slice.most),
                new LedgerRules.Turns(inFlight.report, inFlight.account, inFlight.small),
                new LedgerRules.Times(
                        keep.lease, keep.waitTimeout, keep.files, keep.mostFiles, keep.reports, keep.opening));
    }
}
