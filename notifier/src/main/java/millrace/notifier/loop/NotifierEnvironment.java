package millrace.notifier.loop;

import io.micrometer.core.instrument.MeterRegistry;
import java.util.random.RandomGenerator;
import millrace.runtime.kafka.KafkaClientFactory;
import millrace.runtime.service.ServiceThreads;
import millrace.webhook.WebhookTransport;

/**
 * The threads, clock, clients, random numbers and metrics of a notifier. It uses no others, so that a
 * simulation can replace them.
 *
 * @param random spreads retries and probes
 * @param secrets of the accounts; not closed by the runner
 * @param registry receives the metrics {@code millrace.webhook.…}
 */
public record NotifierEnvironment(
        ServiceThreads threads,
        KafkaClientFactory clients,
        RandomGenerator random,
        WebhookTransport sender,
        WebhookSecrets secrets,
        MeterRegistry registry) {}
