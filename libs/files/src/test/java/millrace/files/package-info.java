@NullMarked
package millrace.files;

import org.jspecify.annotations.NullMarked;
