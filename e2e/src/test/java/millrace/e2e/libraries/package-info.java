/** The client libraries against the service, and against faults between them and it. */
@NullMarked
package millrace.e2e.libraries;

import org.jspecify.annotations.NullMarked;
