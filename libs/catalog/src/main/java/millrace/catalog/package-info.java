/** The datasets that exist, read from YAML. Pure. */
@NullMarked
package millrace.catalog;

import org.jspecify.annotations.NullMarked;
