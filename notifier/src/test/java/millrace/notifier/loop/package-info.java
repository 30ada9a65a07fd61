@NullMarked
package millrace.notifier.loop;

import org.jspecify.annotations.NullMarked;
