/**
 * Shared by all routes: the check of keys, JSON and problem responses, query parameters, request
 * metrics.
 */
@NullMarked
package millrace.gateway.server;

import org.jspecify.annotations.NullMarked;
