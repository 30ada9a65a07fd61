/** Builds the OpenAPI documents from the catalog and serves them. */
@NullMarked
package millrace.gateway.openapi;

import org.jspecify.annotations.NullMarked;
