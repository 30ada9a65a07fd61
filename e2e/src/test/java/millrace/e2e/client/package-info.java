/** What stands around Millrace: a client that retries, a receiver of webhooks, a reader of topics. */
@NullMarked
package millrace.e2e.client;

import org.jspecify.annotations.NullMarked;
