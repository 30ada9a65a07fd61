/** Runs tasks in threads, isolates suspects, stops what takes too long, and sends the answers to the ledger. */
@NullMarked
package millrace.processor.rendering.worker;

import org.jspecify.annotations.NullMarked;
