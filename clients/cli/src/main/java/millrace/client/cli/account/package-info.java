/** Commands about the account, its credits and the data that there are. */
@NullMarked
package millrace.client.cli.account;

import org.jspecify.annotations.NullMarked;
