/** Rows by key in a RocksDB database. */
@NullMarked
package millrace.gateway.activity.database;

import org.jspecify.annotations.NullMarked;
