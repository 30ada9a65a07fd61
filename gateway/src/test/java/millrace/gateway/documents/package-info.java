@NullMarked
package millrace.gateway.documents;

import org.jspecify.annotations.NullMarked;
