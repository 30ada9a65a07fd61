@NullMarked
package millrace.client.cli.api;

import org.jspecify.annotations.NullMarked;
