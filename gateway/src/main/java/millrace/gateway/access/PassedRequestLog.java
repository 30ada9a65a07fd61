package millrace.gateway.access;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import millrace.contracts.operation.PassedRequests;
import millrace.contracts.topics.Topics;
import millrace.runtime.kafka.PeriodicProducer;
import millrace.runtime.kafka.TailedTopics;
import millrace.runtime.kafka.TopicTailer;
import millrace.runtime.settings.KafkaSettings;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells the other gateways what this one lets through, and counts what they let through. */
public final class PassedRequestLog implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(PassedRequestLog.class);
    /** For so long a gateway may let through what others have let through already. */
    private static final Duration PERIOD = Duration.ofMillis(250);
    /** Of a record, which then has at most 100 KB. */
    private static final int MOST_COUNTS = 1_000;

    private final KafkaSettings kafka;
    private final String gatewayId;
    private final ClusterRateLimit limit;
    private final HeardGateways gateways;
    private final LongSupplier nanos;
    private final TailedTopics topic;
    private final AtomicReference<String> failure = new AtomicReference<>("");
    private long saidAt;
    private boolean cutOff;

    /**
     * @param tailer is not started yet
     * @param gatewayId of this gateway, another one after each start
     * @param nanos a clock that does not go back
     */
    public PassedRequestLog(
            KafkaSettings kafka, TopicTailer tailer, String gatewayId, ClusterRateLimit limit, LongSupplier nanos) {
        this.kafka = kafka;
        this.gatewayId = gatewayId;
        this.limit = limit;
        this.gateways = new HeardGateways(gatewayId);
        this.nanos = nanos;
        this.saidAt = nanos.getAsLong() - HeardGateways.INTERVAL.toNanos();
        this.topic = tailer.add(Topics.PASSED_REQUESTS, TopicTailer.Beginning.END, this::fold);
    }

    /** Writes until the thread is interrupted. */
    @Override
    public void run() {
        try (var producer = PeriodicProducer.open(kafka, "passed-requests")) {
            producer.run(this::step);
        }
    }

    private Duration step(Producer<String, byte[]> producer) {
        if (topic.caughtUp()) {
            tell(producer);
        }
        return PERIOD;
    }

    /** What cannot be written is not told later: by then it is of no use. */
    void tell(Producer<String, byte[]> producer) {
        divide();
        List<ClusterRateLimit.Count> counts = limit.tell();
        for (int from = 0; from < counts.size(); from += MOST_COUNTS) {
            send(producer, counts.subList(from, Math.min(from + MOST_COUNTS, counts.size())));
        }
        if (nanos.getAsLong() - saidAt >= HeardGateways.INTERVAL.toNanos()) {
            send(producer, List.of());
        }
    }

    private void divide() {
        long now = nanos.getAsLong();
        boolean before = cutOff;
        cutOff = gateways.cutOff(now);
        int number = gateways.size(now);
        limit.divideBy(cutOff ? number : 1);
        if (cutOff != before && number > 1) {
            if (cutOff) {
                LOG.warn(
                        "other gateways not heard, this one lets through its part of the rates gateways={} error={}",
                        number,
                        failure.get());
            } else {
                LOG.info("other gateways heard again gateways={}", number);
            }
        }
    }

    private void send(Producer<String, byte[]> producer, List<ClusterRateLimit.Count> counts) {
        saidAt = nanos.getAsLong();
        gateways.wrote(saidAt);
        byte[] value = Topics.PASSED_REQUESTS.encode(new PassedRequests(
                gatewayId, counted(counts, RequestRate.SUBMISSIONS), counted(counts, RequestRate.READS)));
        try {
            var unused = producer.send(
                    new ProducerRecord<>(Topics.PASSED_REQUESTS.name(), gatewayId, value),
                    (metadata, error) -> failure.set(error == null ? "" : error.toString()));
        } catch (InterruptException e) {
            throw e;
        } catch (KafkaException e) {
            failure.set(e.toString());
        }
    }

    private static List<PassedRequests.Count> counted(List<ClusterRateLimit.Count> counts, RequestRate rate) {
        return counts.stream()
                .filter(c -> c.rate() == rate)
                .map(c -> new PassedRequests.Count(
                        c.accountId(), c.perSecond(), c.requests(), c.age().toMillis()))
                .toList();
    }

    /** Of the gateways' records, on the thread that reads them. */
    void fold(ConsumerRecord<String, byte[]> record) {
        if (record.value() == null) {
            return;
        }
        PassedRequests passed = Topics.PASSED_REQUESTS.decode(record.value());
        long now = nanos.getAsLong();
        // What is read after a pause is old, and was counted in the parts of the limit that each gateway had.
        boolean old = gateways.cutOff(now);
        if (gateways.heard(passed.gatewayId(), now) && !old) {
            counts(passed).forEach(limit::passedElsewhere);
        }
    }

    private static List<ClusterRateLimit.Count> counts(PassedRequests passed) {
        List<ClusterRateLimit.Count> counts = new ArrayList<>();
        passed.submissions().forEach(c -> counts.add(count(c, RequestRate.SUBMISSIONS)));
        passed.reads().forEach(c -> counts.add(count(c, RequestRate.READS)));
        return counts;
    }

    private static ClusterRateLimit.Count count(PassedRequests.Count c, RequestRate rate) {
        return new ClusterRateLimit.Count(
                c.accountId(), rate, c.perSecond(), c.requests(), Duration.ofMillis(c.ageMillis()));
    }
}
