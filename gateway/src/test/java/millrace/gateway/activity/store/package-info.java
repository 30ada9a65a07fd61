@NullMarked
package millrace.gateway.activity.store;

import org.jspecify.annotations.NullMarked;
