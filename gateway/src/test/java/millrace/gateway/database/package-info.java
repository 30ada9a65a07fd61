@NullMarked
package millrace.gateway.database;

import org.jspecify.annotations.NullMarked;
