/** What every report store does, wherever it keeps the files. */
@NullMarked
package millrace.files.store;

import org.jspecify.annotations.NullMarked;
