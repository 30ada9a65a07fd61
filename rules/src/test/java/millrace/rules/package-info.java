@NullMarked
package millrace.rules;

import org.jspecify.annotations.NullMarked;
