@NullMarked
package millrace.runtime.kafka;

import org.jspecify.annotations.NullMarked;
