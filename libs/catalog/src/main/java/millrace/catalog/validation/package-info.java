/** Reads and checks request bodies against a dataset and an account's entitlements. */
@NullMarked
package millrace.catalog.validation;

import org.jspecify.annotations.NullMarked;
