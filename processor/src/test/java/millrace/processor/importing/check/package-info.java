@NullMarked
package millrace.processor.importing.check;

import org.jspecify.annotations.NullMarked;
