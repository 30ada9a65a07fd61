@NullMarked
package millrace.gateway.model;

import org.jspecify.annotations.NullMarked;
