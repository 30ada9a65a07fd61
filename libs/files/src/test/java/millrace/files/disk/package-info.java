@NullMarked
package millrace.files.disk;

import org.jspecify.annotations.NullMarked;
