/** A dataset as its YAML file declares it, and the rules for it. */
@NullMarked
package millrace.catalog.dataset;

import org.jspecify.annotations.NullMarked;
