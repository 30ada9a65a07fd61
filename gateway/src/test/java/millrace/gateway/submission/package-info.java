@NullMarked
package millrace.gateway.submission;

import org.jspecify.annotations.NullMarked;
