/** Starts the processor: settings, ledger, render workers, upkeep and health. Nothing depends on this package. */
@NullMarked
package millrace.processor.bootstrap;

import org.jspecify.annotations.NullMarked;
