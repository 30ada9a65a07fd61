@NullMarked
package millrace.processor.importing.command;

import org.jspecify.annotations.NullMarked;
