/** The commands {@code millrace import} and {@code millrace versions}, and their output. */
@NullMarked
package millrace.processor.importing.command;

import org.jspecify.annotations.NullMarked;
