package millrace.runtime.kafka;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.MetricName;

/**
 * Registers a gauge of the records that a reader has not fetched, from its Kafka client's metrics.
 */
public final class ConsumerLagGauge {
    private static final String LAG = "records-lag";

    private ConsumerLagGauge() {}

    /**
     * @param reader value of the label
     * @param topicPart only topics whose name contains it count
     * @param metrics of one or several clients, read at each scrape
     */
    public static void register(
            MeterRegistry registry,
            String reader,
            String topicPart,
            Supplier<? extends Map<MetricName, ? extends Metric>> metrics) {
        Gauge.builder("millrace.consumer.lag.records", () -> lag(metrics.get(), topicPart))
                .description("Records in Kafka that the reader has not fetched")
                .tag("reader", reader)
                .register(registry);
    }

    static double lag(Map<MetricName, ? extends Metric> metrics, String topicPart) {
        String wanted = underscored(topicPart);
        // The client has a topic with dots twice, once with underscores.
        Map<String, Double> byPartition = new HashMap<>();
        metrics.forEach((name, metric) -> {
            String topic = name.tags().get("topic");
            if (name.name().equals(LAG) && topic != null && underscored(topic).contains(wanted)) {
                double value = metric.metricValue() instanceof Number n ? n.doubleValue() : Double.NaN;
                byPartition.merge(
                        underscored(topic) + "-" + name.tags().get("partition"),
                        Double.isNaN(value) ? 0 : value,
                        Math::max);
            }
        });
        return byPartition.values().stream().mapToDouble(Double::doubleValue).sum();
    }

    private static String underscored(String topic) {
        return topic.replace('.', '_');
    }
}
