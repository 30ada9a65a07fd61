/** Tests the whole system from outside: processes, sockets, files and topics. */
@NullMarked
package millrace.e2e;

import org.jspecify.annotations.NullMarked;
