package millrace.notifier.loop;

import java.util.random.RandomGenerator;
import millrace.runtime.service.SteadyClock;

/** The notifier's clock, random numbers and metrics. */
public record DeliveryContext(SteadyClock clock, RandomGenerator random, DeliveryMetrics metrics) {}
