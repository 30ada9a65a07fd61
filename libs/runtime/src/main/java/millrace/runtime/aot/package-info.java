/** Starts a service once while its image is built, so that the JVM writes an AOT cache. */
@NullMarked
package millrace.runtime.aot;

import org.jspecify.annotations.NullMarked;
