@NullMarked
package millrace.catalog.dataset;

import org.jspecify.annotations.NullMarked;
