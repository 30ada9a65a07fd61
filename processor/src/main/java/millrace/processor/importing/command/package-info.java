/** The commands {@code millrace import} and {@code millrace datasets}, and what they print. */
@NullMarked
package millrace.processor.importing.command;

import org.jspecify.annotations.NullMarked;
