/** Serves what customers read: guides, the description of the public topics and their schemas. */
@NullMarked
package millrace.gateway.documents;

import org.jspecify.annotations.NullMarked;
