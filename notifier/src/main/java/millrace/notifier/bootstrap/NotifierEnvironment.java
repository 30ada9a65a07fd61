package millrace.notifier.bootstrap;

import io.micrometer.core.instrument.MeterRegistry;
import java.util.random.RandomGenerator;
import millrace.notifier.attempt.WebhookSecrets;
import millrace.runtime.kafka.KafkaClientFactory;
import millrace.runtime.service.ServiceThreads;
import millrace.webhook.WebhookTransport;

/**
 * Everything that a {@link NotifierRunner} needs from outside. It uses no other threads, clocks, clients or chance.
 *
 * @param random spreads retries and probes
 * @param secrets of the accounts; not closed by the runner
 * @param registry gets the measurements, {@code millrace.webhook.…}
 */
public record NotifierEnvironment(
        ServiceThreads threads,
        KafkaClientFactory clients,
        RandomGenerator random,
        WebhookTransport sender,
        WebhookSecrets secrets,
        MeterRegistry registry) {}
