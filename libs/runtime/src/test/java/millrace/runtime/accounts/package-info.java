@NullMarked
package millrace.runtime.accounts;

import org.jspecify.annotations.NullMarked;
