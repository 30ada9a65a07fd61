/** Commands that ask for reports, wait for them and download their files. */
@NullMarked
package millrace.client.cli.report;

import org.jspecify.annotations.NullMarked;
