@NullMarked
package millrace.client.cli;

import org.jspecify.annotations.NullMarked;
