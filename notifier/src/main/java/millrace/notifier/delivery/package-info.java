/** The events of an endpoint: their order, whose turn it is, and which of them must be saved. Pure: no clock, randomness, framework or I/O; times are milliseconds since the epoch unless a type says otherwise. */
@NullMarked
package millrace.notifier.delivery;

import org.jspecify.annotations.NullMarked;
