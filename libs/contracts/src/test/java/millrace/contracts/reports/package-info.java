@NullMarked
package millrace.contracts.reports;

import org.jspecify.annotations.NullMarked;
