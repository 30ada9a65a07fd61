/**
 * One scheduler for all threads of a simulation, driven by a seed: which thread goes on is drawn from the seed, and
 * time passes by timers and not by itself. Simulated threads are virtual threads whose carrier is the thread that runs
 * the simulation, so whatever blocks a virtual thread (queues, futures, locks) works in them as it is.
 *
 * <p>What must not be used in them is the machine's clock, directly or in timed waits, and blocking while a monitor is
 * held that another simulated thread may enter: the JDK wakes both up from threads of its own. Such a wakeup fails the
 * run. Nothing that decides may depend on identity hashes, or on the order of {@code Set.of} and {@code Map.of}, which
 * differs between JVMs.
 */
@NullMarked
package millrace.simulation.kernel;

import org.jspecify.annotations.NullMarked;
