/** Builds the OpenAPI documents from the catalog and serves them with a page to try the API. */
@NullMarked
package millrace.gateway.openapi;

import org.jspecify.annotations.NullMarked;
