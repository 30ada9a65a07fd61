/**
 * What happens to an event that is to be delivered: order, turns, retries. Pure: no clock, randomness, framework or I/O;
 * times are milliseconds since the epoch unless a type says otherwise.
 */
@NullMarked
package millrace.notifier.delivery;

import org.jspecify.annotations.NullMarked;
