@NullMarked
package millrace.gateway.http;

import org.jspecify.annotations.NullMarked;
