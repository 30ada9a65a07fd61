/** The formats of report files: CSV, JSON Lines and Parquet, compressed or not, and how cells are written. */
@NullMarked
package millrace.processor.rendering.format;

import org.jspecify.annotations.NullMarked;
