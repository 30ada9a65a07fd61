@NullMarked
package millrace.gateway.accounts.rules;

import org.jspecify.annotations.NullMarked;
