/** All of Millrace in one process, for one machine and for a first look. */
@NullMarked
package millrace.standalone;

import org.jspecify.annotations.NullMarked;
