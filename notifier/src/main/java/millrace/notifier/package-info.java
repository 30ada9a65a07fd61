/** The settings of the notifier, which delivers webhooks. NotifierMain is in bootstrap, the way of an event begins in loop. */
@NullMarked
package millrace.notifier;

import org.jspecify.annotations.NullMarked;
