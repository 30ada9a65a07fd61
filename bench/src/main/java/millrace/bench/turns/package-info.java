/** Compares two that are measured in turns: builds, or Millrace and something else. */
@NullMarked
package millrace.bench.turns;

import org.jspecify.annotations.NullMarked;
