/** The OpenAPI document: the hand-kept operations, and what follows from the catalog. */
@NullMarked
package millrace.gateway.openapi;

import org.jspecify.annotations.NullMarked;
