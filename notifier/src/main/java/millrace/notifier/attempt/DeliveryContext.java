package millrace.notifier.attempt;

import java.time.InstantSource;
import java.util.random.RandomGenerator;

/** What the notifier looks at, chances it takes, and what looks at it. */
public record DeliveryContext(InstantSource clock, RandomGenerator random, DeliveryMetrics metrics) {}
