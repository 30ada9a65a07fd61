@NullMarked
package millrace.notifier.takeover;

import org.jspecify.annotations.NullMarked;
