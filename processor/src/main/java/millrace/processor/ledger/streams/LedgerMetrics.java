package millrace.processor.ledger.streams;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import millrace.contracts.accounts.LedgerEntry;
import millrace.contracts.commands.AccountCommand;
import millrace.contracts.reports.ErrorCode;
import millrace.contracts.reports.Outcome;
import millrace.contracts.reports.ReportStatus;
import millrace.processor.ledger.decide.Fact;
import millrace.processor.ledger.decide.PendingChanges.RecordedFact;
import millrace.runtime.telemetry.HistogramBuckets;
import millrace.runtime.telemetry.ServiceLogs;
import org.jspecify.annotations.Nullable;

/** The metrics of the ledger. All counters are registered at the start, so that a decision only increments them. */
final class LedgerMetrics {
    private static final List<Class<? extends AccountCommand>> COMMANDS = List.of(
            AccountCommand.GrantCredits.class,
            AccountCommand.ExpireCredits.class,
            AccountCommand.RequestReport.class,
            AccountCommand.RetryReport.class,
            AccountCommand.CancelReport.class,
            AccountCommand.EraseReport.class,
            AccountCommand.SliceRunning.class,
            AccountCommand.SliceDone.class,
            AccountCommand.SliceFailed.class,
            AccountCommand.Assembled.class);

    private final Map<Class<?>, Counter> commands = new LinkedHashMap<>();
    private final Map<LedgerEntry.Kind, Counter> credits = new EnumMap<>(LedgerEntry.Kind.class);
    private final Map<ErrorCode, Counter> unsuccessful = new EnumMap<>(ErrorCode.class);
    private final Map<Outcome, Timer> after = new EnumMap<>(Outcome.class);
    private final Counter complete;
    private final Counter deadLetters;
    private final Counter failedTimers;

    LedgerMetrics(MeterRegistry registry) {
        for (Class<?> command : COMMANDS) {
            String kind = command.getSimpleName()
                    .replaceAll("([a-z])([A-Z])", "$1_$2")
                    .toLowerCase(Locale.ROOT);
            commands.put(
                    command,
                    Counter.builder("millrace.ledger.commands")
                            .description("Commands decided")
                            .tag("kind", kind)
                            .register(registry));
        }
        deadLetters = Counter.builder("millrace.ledger.dead.letters")
                .description("Commands that could not be decided")
                .register(registry);
        failedTimers = Counter.builder("millrace.ledger.failed.timers")
                .description(
                        "Timers that failed and whose report could not be ended; each is tried again after 10 minutes")
                .register(registry);
        for (LedgerEntry.Kind kind : LedgerEntry.Kind.values()) {
            if (kind != LedgerEntry.Kind.OPENING) {
                credits.put(
                        kind,
                        Counter.builder("millrace.credits")
                                .description("Credits moved; a settlement is what was used")
                                .tag("kind", kind.name().toLowerCase(Locale.ROOT))
                                .register(registry));
            }
        }
        complete = ended(registry, Outcome.COMPLETED, "none");
        for (ErrorCode code : ErrorCode.values()) {
            unsuccessful.put(code, ended(registry, Outcome.of(code), word(code)));
        }
        for (Outcome outcome : Outcome.values()) {
            after.put(
                    outcome,
                    Timer.builder("millrace.report")
                            .description("Time from the request to the end of the report")
                            .tag("outcome", outcome.word())
                            .serviceLevelObjectives(HistogramBuckets.reports())
                            .register(registry));
        }
    }

    private static Counter ended(MeterRegistry registry, Outcome outcome, String code) {
        return Counter.builder("millrace.reports.ended")
                .description("Reports that ended; code is that of the error")
                .tag("outcome", outcome.word())
                .tag("code", code)
                .register(registry);
    }

    void decided(AccountCommand command) {
        add(commands.get(command.getClass()), 1);
    }

    void deadLetter() {
        deadLetters.increment();
    }

    void timerFailed() {
        failedTimers.increment();
    }

    /** Counts the facts of one decision. */
    void recorded(List<RecordedFact> steps, Instant now) {
        for (RecordedFact step : steps) {
            if (step.fact() instanceof Fact.Entered entered) {
                add(credits.get(entered.kind()), (double) entered.amount());
            } else if (step.fact() instanceof Fact.Completed) {
                log(step, "complete");
                ended(step, complete, Outcome.COMPLETED, now);
            } else if (step.fact() instanceof Fact.Failed end) {
                ErrorCode code = end.failure().code();
                Outcome outcome = Outcome.of(code);
                log(step, outcome == Outcome.FAILED ? "failed: " + word(code) : outcome.word());
                ended(step, unsuccessful.get(code), outcome, now);
            }
        }
    }

    private void ended(RecordedFact step, @Nullable Counter counter, Outcome outcome, Instant now) {
        add(counter, 1);
        Timer timer = after.get(outcome);
        if (timer != null) {
            timer.record(age(step, now));
        }
    }

    private static String word(ErrorCode code) {
        return code.name().toLowerCase(Locale.ROOT);
    }

    private static void log(RecordedFact step, String became) {
        if (step.report() != null) {
            ReportStatus status = step.report().status();
            ServiceLogs.report(
                    status.reportId(), status.accountId(), step.report().traceparent(), became);
        }
    }

    private static Duration age(RecordedFact step, Instant now) {
        ReportStatus status = step.report() == null ? null : step.report().status();
        return status == null ? Duration.ZERO : Duration.between(status.submittedAt(), now);
    }

    private static void add(@Nullable Counter counter, double amount) {
        if (counter != null) {
            counter.increment(amount);
        }
    }
}
