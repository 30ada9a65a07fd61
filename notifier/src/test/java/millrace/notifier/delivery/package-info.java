@NullMarked
package millrace.notifier.delivery;

import org.jspecify.annotations.NullMarked;
