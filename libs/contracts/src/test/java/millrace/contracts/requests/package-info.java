@NullMarked
package millrace.contracts.requests;

import org.jspecify.annotations.NullMarked;
