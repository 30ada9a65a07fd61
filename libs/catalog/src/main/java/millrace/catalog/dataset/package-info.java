/** A dataset as its YAML file declares it, and the checks of the declaration. */
@NullMarked
package millrace.catalog.dataset;

import org.jspecify.annotations.NullMarked;
