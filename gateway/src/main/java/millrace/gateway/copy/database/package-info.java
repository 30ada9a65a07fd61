/** RocksDB databases on the gateway's disk that are copies of topics, and their rows by key. */
@NullMarked
package millrace.gateway.copy.database;

import org.jspecify.annotations.NullMarked;
