/** Texts: compared by UTF-8 bytes, shown in sentences, held by the million. */
@NullMarked
package millrace.catalog.text;

import org.jspecify.annotations.NullMarked;
