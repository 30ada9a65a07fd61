@NullMarked
package millrace.standalone;

import org.jspecify.annotations.NullMarked;
