/** Makes versions of datasets current that operators ask gateways for. */
@NullMarked
package millrace.processor.switching;

import org.jspecify.annotations.NullMarked;
