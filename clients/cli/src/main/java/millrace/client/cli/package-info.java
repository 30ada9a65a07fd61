/** The commands of clients: they call the API of a service, and never start one. */
@NullMarked
package millrace.client.cli;

import org.jspecify.annotations.NullMarked;
