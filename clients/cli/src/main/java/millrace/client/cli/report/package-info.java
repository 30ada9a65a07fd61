/** Commands that ask for reports, wait for them and get their files. */
@NullMarked
package millrace.client.cli.report;

import org.jspecify.annotations.NullMarked;
