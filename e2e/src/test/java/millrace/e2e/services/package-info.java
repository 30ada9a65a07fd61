/** Tests the services as processes of their own, on one Kafka. */
@NullMarked
package millrace.e2e.services;

import org.jspecify.annotations.NullMarked;
