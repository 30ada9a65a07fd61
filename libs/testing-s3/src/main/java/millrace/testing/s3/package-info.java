/** S3-compatible storage for tests. */
@NullMarked
package millrace.testing.s3;

import org.jspecify.annotations.NullMarked;
