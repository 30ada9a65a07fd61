package millrace.processor.ledger;

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
import millrace.contracts.reports.ReportStatus;
import millrace.processor.ledger.account.state.Fact;
import millrace.processor.ledger.account.state.RecordedFact;
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
            AccountCommand.SliceRunning.class,
            AccountCommand.SliceDone.class,
            AccountCommand.SliceFailed.class,
            AccountCommand.Assembled.class);

    private final Map<Class<?>, Counter> commands = new LinkedHashMap<>();
    private final Map<LedgerEntry.Kind, Counter> credits = new EnumMap<>(LedgerEntry.Kind.class);
    private final Map<ErrorCode, Counter> failed = new EnumMap<>(ErrorCode.class);
    private final Counter complete;
    private final Counter deadLetters;
    private final Timer completeAfter;
    private final Timer failedAfter;

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
        complete = ended(registry, "complete");
        for (ErrorCode code : ErrorCode.values()) {
            failed.put(code, ended(registry, code.name().toLowerCase(Locale.ROOT)));
        }
        completeAfter = after(registry, "complete");
        failedAfter = after(registry, "internal_error");
    }

    private static Counter ended(MeterRegistry registry, String outcome) {
        return Counter.builder("millrace.reports.ended")
                .description("Reports that ended; outcome is complete, or the code of the error")
                .tag("outcome", outcome)
                .register(registry);
    }

    private static Timer after(MeterRegistry registry, String outcome) {
        return Timer.builder("millrace.report")
                .description("Time from the request to the end of the report")
                .tag("outcome", outcome)
                .serviceLevelObjectives(HistogramBuckets.reports())
                .register(registry);
    }

    void decided(AccountCommand command) {
        add(commands.get(command.getClass()), 1);
    }

    void deadLetter() {
        deadLetters.increment();
    }

    /** Counts the facts of one decision. */
    void recorded(List<RecordedFact> steps, Instant now) {
        for (RecordedFact step : steps) {
            if (step.fact() instanceof Fact.Entered entered) {
                add(credits.get(entered.kind()), (double) entered.amount());
            } else if (step.fact() instanceof Fact.Completed) {
                log(step, "complete");
                complete.increment();
                completeAfter.record(age(step, now));
            } else if (step.fact() instanceof Fact.Failed end) {
                log(step, "failed: " + end.failure().code().name().toLowerCase(Locale.ROOT));
                add(failed.get(end.failure().code()), 1);
                failedAfter.record(age(step, now));
            }
        }
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
