/**
 * {@code millrace-admin repartition}: changes the number of partitions of all topics while no service runs. The images of
 * the gateway hold it, too, with what it needs of this module.
 */
@NullMarked
package millrace.processor.repartition;

import org.jspecify.annotations.NullMarked;
