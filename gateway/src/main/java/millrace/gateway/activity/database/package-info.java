/** The tables of the activity store. */
@NullMarked
package millrace.gateway.activity.database;

import org.jspecify.annotations.NullMarked;
