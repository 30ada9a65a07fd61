/** Routes by which an account asks what it may ask for, validates and submits requests, and retries and cancels reports. */
@NullMarked
package millrace.gateway.submission;

import org.jspecify.annotations.NullMarked;
