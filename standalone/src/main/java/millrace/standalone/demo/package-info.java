/** A warehouse of made-up figures to try everything on. */
@NullMarked
package millrace.standalone.demo;

import org.jspecify.annotations.NullMarked;
