@NullMarked
package millrace.catalog.access;

import org.jspecify.annotations.NullMarked;
