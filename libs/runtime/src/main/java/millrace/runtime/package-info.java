/** What every service needs to start: settings, accounts, topics. */
@NullMarked
package millrace.runtime;

import org.jspecify.annotations.NullMarked;
