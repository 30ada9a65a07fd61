@NullMarked
package millrace.notifier;

import org.jspecify.annotations.NullMarked;
