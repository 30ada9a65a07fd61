package millrace.notifier.loop;

import java.time.Duration;
import java.util.List;
import java.util.function.Function;

/** The secrets that sign webhooks, by account. Implementations are thread-safe. */
public interface WebhookSecrets extends AutoCloseable {
    /**
     * The current secrets of an account, the newest first. Empty if the account is unknown or has none. Does not
     * block.
     */
    List<String> of(String accountId);

    /** Waits until the secrets have been read; returns false after the timeout. */
    boolean awaitRead(Duration timeout) throws InterruptedException;

    @Override
    void close();

    /** Secrets that the function returns. There is nothing to wait for and nothing to close. */
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
