@NullMarked
package millrace.gateway.http.body;

import org.jspecify.annotations.NullMarked;
