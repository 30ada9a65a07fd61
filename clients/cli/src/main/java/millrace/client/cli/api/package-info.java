/** Requests to the service, repeated while it does not answer, and its event feed. */
@NullMarked
package millrace.client.cli.api;

import org.jspecify.annotations.NullMarked;
