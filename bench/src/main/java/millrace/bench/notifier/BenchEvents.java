package millrace.bench.notifier;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.UUID;
import java.util.function.IntFunction;
import millrace.bench.process.HttpLoad;
import millrace.contracts.delivery.DeliveryCommand.Deliver;
import millrace.contracts.topics.Topics;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;

/** Makes events for the notifier, with a body of 600 bytes as the service writes it. */
public final class BenchEvents {
    static final int BODY_BYTES = 600;
    private static final String TRACE = "00-00000000000000000000000000000001-0000000000000001-00";

    private BenchEvents() {}

    static Deliver event(String account, String url, UUID report, int sequence) {
        String start = "{\"event_type\":\"report_status_change\",\"payload\":{\"report_id\":\"" + report
                + "\",\"dataset\":\"demographics\",\"status\":\"complete\",\"sequence\":" + sequence
                + ",\"submitted_at\":\"2026-11-21T04:07:48.628Z\",\"estimated_credits\":288,\"data_points_count\":283,"
                + "\"used_quota\":283,\"row_count\":144,\"file_size\":8683,\"expires_at\":\"2026-12-21T04:07:49.168Z\","
                + "\"download_url\":\"";
        String link = "http://127.0.0.1:8080/v3/batch/download/" + report + "?file=";
        String body = start + link + "x".repeat(BODY_BYTES - start.length() - link.length() - 3) + "\"}}";
        return new Deliver(report + "." + sequence, account, url, report, sequence, Instant.now(), body, TRACE);
    }

    @SuppressWarnings("FutureReturnValueIgnored") // what is lost is seen at the receivers
    static void send(Producer<String, byte[]> producer, Deliver event) {
        producer.send(
                new ProducerRecord<>(Topics.DELIVERIES.name(), event.endpoint(), Topics.DELIVERIES.encode(event)));
    }

    /** Makes the event that is due at a time. */
    interface Due {
        /**
         * @param micros since the epoch
         * @return null if nothing is due
         */
        @Nullable
        Deliver event(int number, long micros);
    }

    /**
     * Sends at a rate that does not wait for anything: an event that is sent late keeps its due
     * time.
     */
    static void steadily(Producer<String, byte[]> producer, int perSecond, int count, Due due) {
        long start = micros();
        long nanos = System.nanoTime();
        for (int i = 0; i < count; i++) {
            long after = i * 1_000_000L / perSecond;
            HttpLoad.parkUntil(nanos + after * 1000);
            Deliver event = due.event(i, start + after);
            if (event != null) {
                send(producer, event);
            }
        }
        producer.flush();
    }

    /** Sends as fast as the broker acknowledges. */
    static void atOnce(Producer<String, byte[]> producer, int count, IntFunction<Deliver> event) {
        for (int i = 0; i < count; i++) {
            send(producer, event.apply(i));
        }
        producer.flush();
    }

    /** Microseconds since the epoch. */
    public static long micros() {
        return ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
    }
}
