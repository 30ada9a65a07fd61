/** Reads CSV and Parquet files row by row. */
@NullMarked
package millrace.processor.importing.source;

import org.jspecify.annotations.NullMarked;
