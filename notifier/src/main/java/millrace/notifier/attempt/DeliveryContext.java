package millrace.notifier.attempt;

import java.time.InstantSource;
import java.util.random.RandomGenerator;

/** The notifier's clock, random numbers and metrics. */
public record DeliveryContext(InstantSource clock, RandomGenerator random, DeliveryMetrics metrics) {}
