/**
 * Orders the events of endpoints, shares attempts between endpoints, and decides which events are in memory and which
 * must be saved. Pure: no
 * clock, random numbers, framework or I/O. Times are milliseconds since the epoch unless a type says otherwise.
 */
@NullMarked
package millrace.notifier.delivery;

import org.jspecify.annotations.NullMarked;
