@NullMarked
package millrace.notifier.ownership;

import org.jspecify.annotations.NullMarked;
