@NullMarked
package millrace.gateway.readmodel;

import org.jspecify.annotations.NullMarked;
