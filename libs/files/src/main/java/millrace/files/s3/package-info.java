/** A report store in a bucket of S3-compatible storage. */
@NullMarked
package millrace.files.s3;

import org.jspecify.annotations.NullMarked;
