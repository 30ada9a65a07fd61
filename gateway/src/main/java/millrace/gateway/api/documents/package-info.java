/**
 * Serves what customers read: OpenAPI, made from the catalog and the validator, guides, and the description of the
 * topics.
 */
@NullMarked
package millrace.gateway.api.documents;

import org.jspecify.annotations.NullMarked;
