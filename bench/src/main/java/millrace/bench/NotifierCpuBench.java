package millrace.bench;

import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.UUID;
import millrace.contracts.DeliveryCommand.Deliver;
import millrace.contracts.Topics;
import org.apache.kafka.clients.producer.ProducerRecord;

/** CPU time of one webhook delivery with its share of the exactly-once state. Arguments: --short, or a number of events. */
final class NotifierCpuBench {
    private static final int ENDPOINTS = 200;
    private static final double TARGET_MICROS = 150;

    private NotifierCpuBench() {}

    public static void main(String[] arguments) throws Exception {
        int events = Arrays.asList(arguments).contains("--short")
                ? 10_000
                : arguments.length > 0 ? Integer.parseInt(arguments[0]) : 200_000;
        try (var stage = new NotifierStage(ENDPOINTS)) {
            String body =
                    "{\"event_type\":\"report_status_change\",\"payload\":{\"text\":\"" + "x".repeat(540) + "\"}}";
            try (var producer = stage.producer()) {
                for (int i = 0; i < events; i++) {
                    var report = new UUID(1, i);
                    var event = new Deliver(
                            report + ".1",
                            "a" + i % ENDPOINTS,
                            stage.url("/hook"),
                            report,
                            1,
                            Instant.now(),
                            body,
                            "00-00000000000000000000000000000001-0000000000000001-00");
                    var _ = producer.send(new ProducerRecord<>(
                            Topics.DELIVERIES.name(), event.endpoint(), Topics.DELIVERIES.encode(event)));
                }
            }
            try (Child notifier = stage.notifier("-Xmx512m")) {
                long warm =
                        stage.awaitCount(events * 2L / 5, Duration.ofMinutes(5)).requests();
                Duration cpu = notifier.cpu();
                long from = System.nanoTime();
                long end = stage.awaitCount(events, Duration.ofMinutes(10)).requests();
                double seconds = (System.nanoTime() - from) / 1e9;
                double micros = notifier.cpu().minus(cpu).toNanos() / 1e3 / (end - warm);
                System.out.printf("%d events of %d bytes to %d endpoints%n", events, body.length(), ENDPOINTS);
                System.out.printf("CPU per delivery            %8.1f us%n", micros);
                System.out.printf("deliveries per core second  %8.0f%n", 1e6 / micros);
                System.out.printf("deliveries per second here  %8.0f%n", (end - warm) / seconds);
                System.out.printf("share of the target of %.0f us %6.2f%n", TARGET_MICROS, micros / TARGET_MICROS);
            }
        }
    }
}
