/** Texts: their order, their form in sentences, and large sets of them. */
@NullMarked
package millrace.catalog.text;

import org.jspecify.annotations.NullMarked;
