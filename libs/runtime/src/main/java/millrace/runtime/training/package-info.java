/** What a start leaves to later ones, written while an image is built. */
@NullMarked
package millrace.runtime.training;

import org.jspecify.annotations.NullMarked;
