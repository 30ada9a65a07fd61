/** The datasets, read from YAML files. Pure. */
@NullMarked
package millrace.catalog;

import org.jspecify.annotations.NullMarked;
