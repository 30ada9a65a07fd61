/**
 * Entity dictionaries: sorted files in the report store with the entities of a version of a
 * dataset.
 */
@NullMarked
package millrace.files.entities;

import org.jspecify.annotations.NullMarked;
