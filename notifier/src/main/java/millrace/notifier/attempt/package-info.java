/** Makes attempts: starts what is due as far as the caps allow, signs and sends it, and decides what follows. */
@NullMarked
package millrace.notifier.attempt;

import org.jspecify.annotations.NullMarked;
