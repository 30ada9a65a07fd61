@NullMarked
package millrace.notifier.delivery.flow;

import org.jspecify.annotations.NullMarked;
