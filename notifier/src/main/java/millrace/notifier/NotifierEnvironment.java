package millrace.notifier;

import io.micrometer.core.instrument.MeterRegistry;
import java.util.random.RandomGenerator;
import millrace.runtime.KafkaClientFactory;
import millrace.runtime.ServiceThreads;
import millrace.webhook.Sender;

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
        Sender sender,
        Secrets secrets,
        MeterRegistry registry) {}
