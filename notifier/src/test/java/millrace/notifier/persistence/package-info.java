@NullMarked
package millrace.notifier.persistence;

import org.jspecify.annotations.NullMarked;
