@NullMarked
package millrace.contracts.topics;

import org.jspecify.annotations.NullMarked;
