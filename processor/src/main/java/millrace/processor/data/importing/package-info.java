/** Imports files into a new version: reads CSV and Parquet, checks each cell, and writes the table. */
@NullMarked
package millrace.processor.data.importing;

import org.jspecify.annotations.NullMarked;
