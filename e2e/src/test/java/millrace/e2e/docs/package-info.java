/** Tests that the documentation says what is so: its commands, requests, metrics, alerts and limits. */
@NullMarked
package millrace.e2e.docs;

import org.jspecify.annotations.NullMarked;
