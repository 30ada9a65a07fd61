package millrace.bench;

import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.UUID;
import millrace.contracts.DeliveryCommand.Deliver;
import millrace.contracts.DeliveryState;
import millrace.contracts.Topic;
import millrace.contracts.Topics;
import org.apache.kafka.clients.producer.ProducerRecord;

/** Many events that wait for a retry: time to rebuild, memory, and how late they start. Arguments: --short, or a number of events. */
final class NotifierWaitingBench {
    private static final int ENDPOINTS = 1000;
    private static final int DUE_PER_SECOND = 200;
    private static final Duration DUE_AFTER = Duration.ofSeconds(60);

    private NotifierWaitingBench() {}

    public static void main(String[] arguments) throws Exception {
        int events = Arrays.asList(arguments).contains("--short")
                ? 20_000
                : arguments.length > 0 ? Integer.parseInt(arguments[0]) : 1_000_000;
        try (var stage = new NotifierStage(ENDPOINTS)) {
            int dueSoon = Math.min(events / 2, DUE_PER_SECOND * 60);
            long filled = System.currentTimeMillis();
            // What is due soon lies anywhere among the rest. The first is due when all of it is written and read.
            long firstDue = filled + DUE_AFTER.toMillis() + events / 20;
            fill(stage, events, dueSoon, firstDue);
            long started = System.nanoTime();
            try (Child notifier = stage.notifier("-Xmx400m", "--notifier.metrics-port", "0")) {
                notifier.await("took over partition", Duration.ofMinutes(2));
                for (int more = 1; more < NotifierStage.PARTITIONS; more++) {
                    notifier.await("took over partition", Duration.ofMinutes(2));
                }
                double seconds = (System.nanoTime() - started) / 1e9;
                boolean inTime = System.currentTimeMillis() < firstDue;
                Receivers.Count count = stage.awaitCount(dueSoon, Duration.ofMinutes(10));
                System.out.printf("%d events wait, %d of them are due %d a second%n", events, dueSoon, DUE_PER_SECOND);
                System.out.printf("from its start to ready     %8.1f s, target 15%n", seconds);
                System.out.printf("heap                        %8d MB, target 400 (-Xmx)%n", 400);
                System.out.printf("resident at most            %8d MB%n", notifier.peakMemory() >> 20);
                System.out.printf(
                        "late p50 / p99 / max        %d / %d / %d ms, target 1000 at p99%s%n",
                        count.lateP50(),
                        count.lateP99(),
                        count.lateMax(),
                        inTime ? "" : " (it was not ready when the first was due)");
            }
        }
    }

    private static void fill(NotifierStage stage, int events, int dueSoon, long firstDue) {
        String body = "{\"event_type\":\"report_status_change\",\"payload\":{\"text\":\"" + "x".repeat(540) + "\"}}";
        int step = events / dueSoon;
        try (var producer = stage.producer()) {
            for (int i = 0; i < events; i++) {
                boolean soon = i % step == 0 && i / step < dueSoon;
                long due = soon
                        ? firstDue + 1000L * (i / step) / DUE_PER_SECOND
                        : firstDue + Duration.ofHours(10).toMillis();
                var report = new UUID(1, i);
                var event = new Deliver(
                        report + ".1",
                        "a" + i % ENDPOINTS,
                        stage.url("/due/" + due),
                        report,
                        1,
                        Instant.now(),
                        body,
                        "00-00000000000000000000000000000001-0000000000000001-00");
                var state = new DeliveryState.Waiting(event.endpoint(), event, 1, Instant.ofEpochMilli(due), null);
                var _ = producer.send(new ProducerRecord<>(
                        Topics.DELIVERY_STATE.name(),
                        Topic.partition(event.endpoint(), NotifierStage.PARTITIONS),
                        state.key(),
                        Topics.DELIVERY_STATE.encode(state)));
            }
        }
    }
}
