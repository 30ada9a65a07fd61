/** Commands that follow the event feed. */
@NullMarked
package millrace.client.cli.events;

import org.jspecify.annotations.NullMarked;
