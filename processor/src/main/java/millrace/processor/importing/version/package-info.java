/** Writes the new version of a dataset: stages rows, finds duplicate keys, and sorts the rows into the file. */
@NullMarked
package millrace.processor.importing.version;

import org.jspecify.annotations.NullMarked;
