/** Brings files here, whole or not at all. */
@NullMarked
package millrace.client.cli.download;

import org.jspecify.annotations.NullMarked;
