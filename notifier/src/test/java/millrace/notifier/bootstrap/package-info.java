@NullMarked
package millrace.notifier.bootstrap;

import org.jspecify.annotations.NullMarked;
