@NullMarked
package millrace.catalog.validation;

import org.jspecify.annotations.NullMarked;
