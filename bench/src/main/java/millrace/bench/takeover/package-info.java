/** Measures how long others need to take over from a part that is killed under load. */
@NullMarked
package millrace.bench.takeover;

import org.jspecify.annotations.NullMarked;
