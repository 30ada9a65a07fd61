/** The command that tells operators how the services are doing. */
@NullMarked
package millrace.client.cli.operator;

import org.jspecify.annotations.NullMarked;
