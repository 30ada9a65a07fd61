package millrace.processor.ledger.streams;

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import millrace.contracts.commands.RenderTask;
import millrace.contracts.reports.ReportStatus;
import millrace.contracts.topics.Topics;
import millrace.processor.ledger.decide.Fact;
import millrace.processor.ledger.decide.Ledger;
import millrace.processor.ledger.decide.Ledger.Verdict;
import millrace.processor.ledger.decide.LedgerReport;
import millrace.processor.ledger.decide.PendingChanges;
import millrace.processor.ledger.decide.PendingChanges.RecordedFact;
import millrace.processor.ledger.state.LedgerStores;
import millrace.processor.ledger.state.StoredAccountReader;
import millrace.processor.ledger.streams.AccountStepSupplier.LedgerParts;
import millrace.processor.ledger.streams.HeldTasks.AnsweredTask;
import millrace.processor.ledger.streams.LocalWorkers.HandedTask;
import millrace.runtime.telemetry.Spans;
import org.apache.kafka.streams.errors.StreamsException;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes decisions about accounts and writes each of them as a whole, after it has been decided and encoded. An error
 * before the first write changes nothing. A later error, or a store that cannot be read, is thrown; it ends the
 * process, so that the transaction is aborted.
 */
final class DecisionWriter {
    private static final Logger LOG = LoggerFactory.getLogger(DecisionWriter.class);
    private static final Spans SPANS = Spans.of("processor");
    /** Topics that keep the newest value of each key; nobody needs the earlier ones of a transaction. */
    private static final Set<String> LAST_COUNTS = Set.of(Topics.REPORT_STATUS.name(), Topics.ACCOUNT_STATE.name());

    private final LedgerParts parts;
    private final LedgerStores stores;
    private final ProcessorContext<String, byte[]> context;
    private final LedgerTransaction transaction;
    private final CommitRequests commits;

    DecisionWriter(
            LedgerParts parts,
            LedgerStores stores,
            ProcessorContext<String, byte[]> context,
            LedgerTransaction transaction,
            CommitRequests commits) {
        this.parts = parts;
        this.stores = stores;
        this.context = context;
        this.transaction = transaction;
        this.commits = commits;
    }

    /** A decision about an account, for example of one command. */
    @FunctionalInterface
    interface Decision {
        /**
         * Records the facts of the decision in the pending changes.
         *
         * @throws RuntimeException where it cannot be decided
         */
        Verdict in(PendingChanges changes);
    }

    /**
     * The outcome of a decision.
     *
     * @param refused why nothing was decided and written, or null
     * @param cause the error, where it is a fault of the program
     */
    record Outcome(
            PendingChanges changes,
            @Nullable String refused,
            @Nullable RuntimeException cause) {}

    /**
     * Makes a decision and gives the turns that follow from it, together. Where a turn fails, the decision is made
     * without turns, and the turns are given one by one.
     *
     * @param inMemory whether its tasks may be handed to workers of this process
     */
    Outcome make(String accountId, Decision decision, boolean inMemory) {
        Decision withTurns = changes -> {
            Verdict verdict = decision.in(changes);
            parts.ledger().turns(changes);
            return verdict;
        };
        Outcome whole = attempt(accountId, withTurns, inMemory);
        if (whole.cause() == null) {
            return whole;
        }
        Outcome alone = attempt(accountId, decision);
        if (alone.refused() == null) {
            LOG.error("turn failed account={}", accountId, whole.cause());
            giveTurns(accountId);
        }
        return alone;
    }

    /** Makes a decision without turns, whose tasks go through Kafka. */
    Outcome attempt(String accountId, Decision decision) {
        return attempt(accountId, decision, false);
    }

    private Outcome attempt(String accountId, Decision decision, boolean inMemory) {
        var changes = new PendingChanges(
                reader(accountId), stores.clock().wall(), stores.clock().now());
        List<OutgoingRecord> out;
        try {
            if (decision.in(changes) instanceof Verdict.Refused refused) {
                return new Outcome(changes, refused.reason(), null);
            }
            out = parts.records().records(changes);
        } catch (StreamsException e) {
            throw e;
        } catch (RuntimeException e) {
            return new Outcome(changes, String.valueOf(e.getMessage()), e);
        }
        write(changes, out, inMemory);
        return new Outcome(changes, null, null);
    }

    private void giveTurns(String accountId) {
        Ledger ledger = parts.ledger();
        while (ledger.turnIsDue(reader(accountId).account())) {
            if (attempt(accountId, ledger::turn).refused() != null
                    && attempt(accountId, ledger::endTurn).refused() != null
                    && attempt(accountId, ledger::skipTurn).refused() != null) {
                throw new StreamsException(
                        "account " + accountId + " has a turn that can neither be given nor skipped");
            }
        }
    }

    private void write(PendingChanges changes, List<OutgoingRecord> out, boolean inMemory) {
        stores.save(changes);
        out.forEach(outgoing -> send(outgoing, inMemory));
        parts.metrics().recorded(changes.steps(), changes.now());
        addSpans(changes.steps(), changes.now());
        commits.decided();
    }

    /**
     * Adds spans to the traces of reports: from the request to its decision, and from the request to the end of the
     * report. A decision whose transaction is aborted and repeated has its spans twice, as it is counted twice.
     */
    private static void addSpans(List<RecordedFact> steps, Instant now) {
        if (!Spans.exported()) {
            return;
        }
        for (RecordedFact step : steps) {
            LedgerReport report = step.report();
            if (report == null) {
                continue;
            }
            if (step.fact() instanceof Fact.Accepted) {
                span("ledger.accept", report).end(now);
            } else if (step.fact() instanceof Fact.Completed) {
                span("report", report).setAttribute(Spans.OUTCOME, "complete").end(now);
            } else if (step.fact() instanceof Fact.Failed failed) {
                span("report", report)
                        .setAttribute(Spans.OUTCOME, failed.failure().code().toString())
                        .setStatus(StatusCode.ERROR)
                        .end(now);
            }
        }
    }

    private static Span span(String name, LedgerReport report) {
        ReportStatus status = report.status();
        return SPANS.begin(name, SpanKind.INTERNAL, report.traceparent(), status.submittedAt())
                .setAttribute(Spans.REPORT, status.reportId().toString())
                .setAttribute(Spans.ACCOUNT, status.accountId());
    }

    private void send(OutgoingRecord outgoing, boolean inMemory) {
        boolean later = LAST_COUNTS.contains(outgoing.topic())
                ? transaction.keepBack(outgoing)
                : inMemory && handOver(outgoing);
        if (!later) {
            context.forward(outgoing.record(), outgoing.topic());
        }
    }

    /** What is handed out again has failed or is lost, and goes through Kafka, where its starts are counted. */
    private boolean handOver(OutgoingRecord outgoing) {
        RenderTask task = outgoing.task();
        return task != null
                && outgoing.topic().equals(Topics.SMALL_REPORTS.name())
                && task.slice().dispatch() == 1
                && transaction.handOver(context, new HandedTask(task, outgoing));
    }

    /** Decides what workers of this process have answered since the last call. */
    void takeAnswers() {
        for (AnsweredTask answered : transaction.answered(context)) {
            HandedTask handed = answered.task();
            String account = handed.task().accountId();
            Outcome outcome = make(account, changes -> parts.ledger().decide(changes, answered.answer()), true);
            if (outcome.refused() == null) {
                parts.metrics().decided(answered.answer());
            } else {
                LOG.error(
                        "answer failed, its task goes through Kafka account={} slice={} reason={}",
                        account,
                        handed.task().slice(),
                        outcome.refused(),
                        outcome.cause());
                context.forward(handed.record().record(), handed.record().topic());
            }
        }
    }

    private StoredAccountReader reader(String accountId) {
        return new StoredAccountReader(
                accountId, stores, parts.versions(), stores.clock().wall());
    }
}
