@NullMarked
package millrace.broker;

import org.jspecify.annotations.NullMarked;
