@NullMarked
package millrace.notifier.versions;

import org.jspecify.annotations.NullMarked;
