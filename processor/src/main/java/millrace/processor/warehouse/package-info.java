/** The interface to the engines that hold the data of reports. */
@NullMarked
package millrace.processor.warehouse;

import org.jspecify.annotations.NullMarked;
