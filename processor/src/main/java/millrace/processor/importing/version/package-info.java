/** Writes the new version of a dataset: staged rows, keys that occur twice, the sorted file. */
@NullMarked
package millrace.processor.importing.version;

import org.jspecify.annotations.NullMarked;
