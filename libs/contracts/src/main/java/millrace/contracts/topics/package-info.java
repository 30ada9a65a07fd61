/** Every topic with the type of its messages, and the CloudEvents attributes of public ones. */
@NullMarked
package millrace.contracts.topics;

import org.jspecify.annotations.NullMarked;
