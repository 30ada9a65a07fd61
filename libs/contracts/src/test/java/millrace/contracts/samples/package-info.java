@NullMarked
package millrace.contracts.samples;

import org.jspecify.annotations.NullMarked;
