package millrace.runtime.kafka;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.MetricName;

/** How many records a reader has not fetched yet, from what its Kafka client measures anyway. */
public final class ConsumerLagGauge {
    private static final String LAG = "records-lag";

    private ConsumerLagGauge() {}

    /**
     * @param reader its name in the label
     * @param topicPart only topics whose name contains this count
     * @param metrics of the client, or of several; asked when somebody looks
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
        // A topic with dots is there twice, once with underscores.
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
