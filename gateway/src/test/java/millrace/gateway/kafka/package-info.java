@NullMarked
package millrace.gateway.kafka;

import org.jspecify.annotations.NullMarked;
