/**
 * The scheduler of a simulation. The seed decides which thread runs next, and time passes by timers only. Simulated
 * threads are virtual threads whose carrier is the thread that runs the simulation, so everything that blocks a virtual
 * thread (queues, futures, locks) works unchanged.
 *
 * <p>Simulated threads must not use the system clock, directly or in timed waits, and must not block while they hold a
 * monitor that another simulated thread may enter, since the JDK ends both kinds of waits from its own threads. Such a
 * wakeup fails the run. Decisions must not depend on identity hashes, or on the order of {@code Set.of} and {@code
 * Map.of}, which differs between JVMs.
 */
@NullMarked
package millrace.simulation.kernel;

import org.jspecify.annotations.NullMarked;
