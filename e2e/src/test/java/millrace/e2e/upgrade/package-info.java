/** Tests that a build goes on from the data folders of earlier releases. */
@NullMarked
package millrace.e2e.upgrade;

import org.jspecify.annotations.NullMarked;
