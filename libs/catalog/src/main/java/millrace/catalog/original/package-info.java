/** Reads the bodies that only the original API has as bodies of v3. */
@NullMarked
package millrace.catalog.original;

import org.jspecify.annotations.NullMarked;
