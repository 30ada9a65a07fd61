/** A warehouse of generated figures to try Millrace with. */
@NullMarked
package millrace.standalone.demo;

import org.jspecify.annotations.NullMarked;
