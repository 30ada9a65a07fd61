package millrace.notifier.attempt;

import java.time.Duration;
import java.util.List;
import java.util.function.Function;

/** What webhooks are signed with. Safe for use by many threads. */
public interface WebhookSecrets extends AutoCloseable {
    /** Of an account, those that sign now, the newest first; empty where it is unknown or has none. Never blocks. */
    List<String> of(String accountId);

    /** Waits until they can be asked for; false where that took longer. */
    boolean awaitRead(Duration timeout) throws InterruptedException;

    @Override
    void close();

    /** Those that somebody else keeps. */
    static WebhookSecrets of(Function<String, List<String>> secrets) {
        return new WebhookSecrets() {
            @Override
            public List<String> of(String accountId) {
                return secrets.apply(accountId);
            }

            @Override
            public boolean awaitRead(Duration timeout) {
                return true;
            }

            @Override
            public void close() {}
        };
    }
}
