package millrace.notifier;

import java.time.InstantSource;
import java.util.random.RandomGenerator;

/** What the notifier looks at, chances it takes, and what looks at it. */
record Surroundings(InstantSource clock, RandomGenerator random, Figures figures) {}
