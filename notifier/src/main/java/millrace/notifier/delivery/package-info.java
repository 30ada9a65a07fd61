/**
 * Orders the events of endpoints, shares attempts between endpoints, and decides which events are in memory and which
 * must be saved. Pure: no clock, random numbers, framework or I/O. What is planned, and {@code now}, are milliseconds of
 * the loop's {@link millrace.runtime.service.SteadyClock}; when something occurred is milliseconds since the epoch.
 */
@NullMarked
package millrace.notifier.delivery;

import org.jspecify.annotations.NullMarked;
