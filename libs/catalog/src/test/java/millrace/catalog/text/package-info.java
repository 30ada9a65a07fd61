@NullMarked
package millrace.catalog.text;

import org.jspecify.annotations.NullMarked;
