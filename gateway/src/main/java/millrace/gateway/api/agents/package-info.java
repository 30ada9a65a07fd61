/**
 * Lets agents use the API over the Model Context Protocol: its tools call what the routes call, and answer as they do.
 */
@NullMarked
package millrace.gateway.api.agents;

import org.jspecify.annotations.NullMarked;
