@NullMarked
package millrace.notifier.attempt;

import org.jspecify.annotations.NullMarked;
