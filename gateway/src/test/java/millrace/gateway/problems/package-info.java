@NullMarked
package millrace.gateway.problems;

import org.jspecify.annotations.NullMarked;
