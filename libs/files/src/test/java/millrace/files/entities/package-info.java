@NullMarked
package millrace.files.entities;

import org.jspecify.annotations.NullMarked;
