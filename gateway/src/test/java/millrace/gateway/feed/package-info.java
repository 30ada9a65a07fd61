@NullMarked
package millrace.gateway.feed;

import org.jspecify.annotations.NullMarked;
