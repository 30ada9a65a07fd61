package millrace.gateway.admin;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import millrace.contracts.commands.AccountCommand;
import millrace.contracts.commands.SliceRef;
import millrace.contracts.reports.ReportStatus;
import millrace.contracts.topics.Topics;
import millrace.gateway.copy.PartitionReader;
import millrace.runtime.settings.KafkaSettings;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.errors.SerializationException;
import org.jspecify.annotations.Nullable;

/**
 * Tells what workers have said of the slices of a report. It is read from their answers in Kafka when somebody asks, so
 * that gateways keep nothing of it.
 */
final class ReportSlices {
    private final KafkaSettings kafka;

    ReportSlices(KafkaSettings kafka) {
        this.kafka = kafka;
    }

    enum State {
        @JsonProperty("running")
        RUNNING,
        @JsonProperty("failed")
        FAILED,
        @JsonProperty("done")
        DONE
    }

    /**
     * @param slice number of the slice from 0; null for what puts slices together or writes the manifest
     * @param part number of the file from 1, if it is a part that is put together
     * @param dispatch how often it has been handed out
     * @param rows written so far
     * @param error of the last failure; another worker tries again
     */
    record Slice(
            @Nullable Integer slice,
            @Nullable Integer part,
            State state,
            int dispatch,
            long rows,
            Instant heardAt,
            @Nullable String error) {}

    /**
     * Of the newest attempt.
     *
     * @param whole false where so much has been written since the attempt began that only the newest was read
     * @param running number of slices, as the two below
     * @param rows of slices that are done
     * @param list those that are not done first, and of the others the newest; assembly of the report and of parts among
     *     them
     */
    record Heard(boolean whole, int running, int failed, int done, long rows, List<Slice> list) {}

    /** @throws org.apache.kafka.common.KafkaException where Kafka does not answer in time */
    Heard of(ReportStatus report, int most) {
        var answers = new Answers(report.reportId(), report.attempt());
        boolean whole = PartitionReader.read(
                kafka,
                "report-slices",
                Topics.ACCOUNT_COMMANDS,
                report.accountId(),
                report.submittedAt(),
                record -> fold(record, answers));
        return answers.heard(whole, most);
    }

    private static void fold(ConsumerRecord<String, byte[]> record, Answers answers) {
        try {
            answers.fold(Topics.ACCOUNT_COMMANDS.decode(record.value()), Instant.ofEpochMilli(record.timestamp()));
        } catch (SerializationException e) {
            // The ledger has put it aside, and says so.
        }
    }

    /** The answers about one attempt, by slice. */
    static final class Answers {
        private static final Comparator<Slice> OPEN_FIRST = Comparator.<Slice, Boolean>comparing(
                        s -> s.state() == State.DONE)
                .thenComparing(Slice::heardAt, Comparator.reverseOrder());

        private final UUID reportId;
        private final int attempt;
        private final Map<Integer, Slice> slices = new TreeMap<>();

        Answers(UUID reportId, int attempt) {
            this.reportId = reportId;
            this.attempt = attempt;
        }

        void fold(AccountCommand command, Instant at) {
            switch (command) {
                case AccountCommand.SliceRunning(SliceRef ref, long rows) -> put(ref, State.RUNNING, rows, at, null);
                case AccountCommand.SliceDone d ->
                    put(d.slice(), State.DONE, d.counts().rows(), at, null);
                case AccountCommand.SliceFailed f -> put(f.slice(), State.FAILED, 0, at, f.message());
                case AccountCommand.Assembled a -> put(a.slice(), State.DONE, 0, at, null);
                default -> {}
            }
        }

        /** The first answer that a slice is done counts, as it does for the ledger; and no older dispatch after a newer. */
        private void put(SliceRef ref, State state, long rows, Instant at, @Nullable String error) {
            if (ref.reportId().equals(reportId) && ref.attempt() == attempt) {
                Integer number = ref.namesSlice() ? ref.slice() : null;
                Integer part = ref.namesPart() ? ref.part() + 1 : null;
                slices.merge(
                        ref.slice(),
                        new Slice(number, part, state, ref.dispatch(), rows, at, error),
                        (before, after) -> before.state() == State.DONE
                                        || (after.state() != State.DONE && after.dispatch() < before.dispatch())
                                ? before
                                : after);
            }
        }

        Heard heard(boolean whole, int most) {
            return new Heard(
                    whole,
                    count(State.RUNNING),
                    count(State.FAILED),
                    count(State.DONE),
                    slices.values().stream()
                            .filter(s -> s.state() == State.DONE)
                            .mapToLong(Slice::rows)
                            .sum(),
                    slices.values().stream().sorted(OPEN_FIRST).limit(most).toList());
        }

        private int count(State state) {
            return Math.toIntExact(slices.values().stream()
                    .filter(s -> s.slice() != null && s.state() == state)
                    .count());
        }
    }
}
