/** What an account may ask for, and a dataset as it is described to it. */
@NullMarked
package millrace.catalog.access;

import org.jspecify.annotations.NullMarked;
