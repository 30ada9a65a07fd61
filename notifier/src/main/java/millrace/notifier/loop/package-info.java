/**
 * One run of the notifier. {@link millrace.notifier.loop.DeliveryLoop} is the thread of it, and of all that is not
 * thread-safe here: it reads deliveries, makes attempts, and commits what follows from them. Partitions are taken over,
 * payloads and backlogs are read, and transactions are written on threads of their own, which send messages to the loop.
 */
@NullMarked
package millrace.notifier.loop;

import org.jspecify.annotations.NullMarked;
