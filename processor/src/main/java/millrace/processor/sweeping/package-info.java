/** Deletes report files that no report needs. */
@NullMarked
package millrace.processor.sweeping;

import org.jspecify.annotations.NullMarked;
