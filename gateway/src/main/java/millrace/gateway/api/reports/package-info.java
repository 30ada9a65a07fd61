/**
 * Routes that describe what an account may ask for, validate and accept requests, and retry and
 * cancel reports.
 */
@NullMarked
package millrace.gateway.api.reports;

import org.jspecify.annotations.NullMarked;
