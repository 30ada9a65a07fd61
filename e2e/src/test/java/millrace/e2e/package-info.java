/** Tests of the whole from outside: a process, sockets, files, topics. */
@NullMarked
package millrace.e2e;

import org.jspecify.annotations.NullMarked;
