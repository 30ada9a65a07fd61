/** What a report is to contain, as it was accepted. */
@NullMarked
package millrace.contracts.requests;

import org.jspecify.annotations.NullMarked;
