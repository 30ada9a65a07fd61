/** Every topic, its messages, and how records are named to the outside (CloudEvents). */
@NullMarked
package millrace.contracts.topics;

import org.jspecify.annotations.NullMarked;
