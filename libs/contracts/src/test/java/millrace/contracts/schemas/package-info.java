@NullMarked
package millrace.contracts.schemas;

import org.jspecify.annotations.NullMarked;
