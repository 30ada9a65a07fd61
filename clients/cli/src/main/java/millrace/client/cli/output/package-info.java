/** What people see: tables, progress, numbers. */
@NullMarked
package millrace.client.cli.output;

import org.jspecify.annotations.NullMarked;
