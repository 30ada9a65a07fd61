/** Measures what a build costs, and holds the source text to rules. */
@NullMarked
package millrace.rules;

import org.jspecify.annotations.NullMarked;
