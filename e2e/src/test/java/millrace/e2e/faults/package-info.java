/** Tests processes that are killed, disks that are full and engines that are unavailable. */
@NullMarked
package millrace.e2e.faults;

import org.jspecify.annotations.NullMarked;
