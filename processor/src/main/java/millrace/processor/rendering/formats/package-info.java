/** Writes the formats of report files: CSV, JSON Lines and Parquet, compressed or not. */
@NullMarked
package millrace.processor.rendering.formats;

import org.jspecify.annotations.NullMarked;
