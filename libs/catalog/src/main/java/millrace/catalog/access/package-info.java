/** The entitlements of an account, and the description of a dataset for it. */
@NullMarked
package millrace.catalog.access;

import org.jspecify.annotations.NullMarked;
