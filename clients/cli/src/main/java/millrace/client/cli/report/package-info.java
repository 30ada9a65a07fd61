/** Commands that ask for reports, wait for them and bring their files here, whole or not at all. */
@NullMarked
package millrace.client.cli.report;

import org.jspecify.annotations.NullMarked;
