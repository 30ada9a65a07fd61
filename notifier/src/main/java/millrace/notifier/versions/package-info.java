/** Announces new versions of the data: in a public topic, and to the webhooks that accounts have subscribed. */
@NullMarked
package millrace.notifier.versions;

import org.jspecify.annotations.NullMarked;
