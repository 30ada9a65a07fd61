@NullMarked
package millrace.gateway.paging;

import org.jspecify.annotations.NullMarked;
