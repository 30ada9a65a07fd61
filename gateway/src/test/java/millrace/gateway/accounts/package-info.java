@NullMarked
package millrace.gateway.accounts;

import org.jspecify.annotations.NullMarked;
