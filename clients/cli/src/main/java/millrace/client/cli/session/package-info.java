/** What all commands share: address and key, the terminal, exit codes. */
@NullMarked
package millrace.client.cli.session;

import org.jspecify.annotations.NullMarked;
