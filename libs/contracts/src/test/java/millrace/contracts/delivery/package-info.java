@NullMarked
package millrace.contracts.delivery;

import org.jspecify.annotations.NullMarked;
