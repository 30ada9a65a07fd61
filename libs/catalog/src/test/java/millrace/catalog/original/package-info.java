@NullMarked
package millrace.catalog.original;

import org.jspecify.annotations.NullMarked;
