/**
 * What happened to the accounts, in a RocksDB store on the local disk: read from the public topics,
 * and built again from them where it is lost.
 */
@NullMarked
package millrace.gateway.activity.store;

import org.jspecify.annotations.NullMarked;
