/** S3-compatible storage within a test. */
@NullMarked
package millrace.testing.s3;

import org.jspecify.annotations.NullMarked;
