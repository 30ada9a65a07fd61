/** Messages, frozen: samples, schemas and the document of the public topics. */
@NullMarked
package millrace.contracts;

import org.jspecify.annotations.NullMarked;
