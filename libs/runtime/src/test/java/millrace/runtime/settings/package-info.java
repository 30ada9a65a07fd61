@NullMarked
package millrace.runtime.settings;

import org.jspecify.annotations.NullMarked;
