@NullMarked
package millrace.catalog;

import org.jspecify.annotations.NullMarked;
