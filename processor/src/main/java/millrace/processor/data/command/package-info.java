/** The commands {@code millrace import} and {@code millrace versions}, and their output. */
@NullMarked
package millrace.processor.data.command;

import org.jspecify.annotations.NullMarked;
