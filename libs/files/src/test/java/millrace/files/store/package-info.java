@NullMarked
package millrace.files.store;

import org.jspecify.annotations.NullMarked;
