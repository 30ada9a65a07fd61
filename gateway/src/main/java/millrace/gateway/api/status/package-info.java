/**
 * Routes of one report's status and request, and of an account's history; finds reports that
 * another gateway has just accepted.
 */
@NullMarked
package millrace.gateway.api.status;

import org.jspecify.annotations.NullMarked;
