package millrace.notifier.bootstrap;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import millrace.notifier.NotifierSettings;
import millrace.notifier.loop.WebhookSecrets;
import millrace.notifier.versions.Subscribers;
import millrace.runtime.accounts.Accounts;
import millrace.runtime.accounts.AccountsFile;
import millrace.runtime.accounts.AccountsReader;
import millrace.runtime.accounts.DeclaredAccount;
import millrace.runtime.accounts.SecretEncryption;
import millrace.runtime.kafka.FoldedOffsets;
import millrace.runtime.kafka.TopicTailer;
import millrace.runtime.settings.KafkaSettings;
import millrace.runtime.settings.SettingsException;

/**
 * Takes the secrets of an account from the topic {@code accounts}, or from the accounts file if the topic does not
 * have the account; and the webhooks that accounts have subscribed, which only the topic has.
 */
final class AccountWebhookSecrets implements WebhookSecrets, Subscribers {
    private final Map<String, List<String>> file;
    private final Accounts accounts;
    private final TopicTailer tailer;
    private final AccountsReader reader;

    private AccountWebhookSecrets(
            AccountsFile file, SecretEncryption box, KafkaSettings kafka, Consumer<Throwable> onFatal) {
        this.file = file.accounts().stream()
                .collect(Collectors.toMap(DeclaredAccount::id, DeclaredAccount::webhookSecrets));
        this.accounts = new Accounts(box, InstantSource.system(), account -> {});
        // Without the right key nothing can be signed. The process ends, so that no event is given up for that
        // reason.
        this.tailer = new TopicTailer(kafka, "accounts", new FoldedOffsets());
        this.reader = new AccountsReader(tailer, accounts, onFatal::accept);
    }

    /**
     * @param onFatal called if secrets were encrypted with another key than this process has
     * @throws SettingsException if the accounts file or the key cannot be used; the message is one line
     */
    static AccountWebhookSecrets follow(NotifierSettings settings, KafkaSettings kafka, Consumer<Throwable> onFatal) {
        Path path = settings.accounts();
        AccountsFile file = Files.exists(path) ? AccountsFile.read(path) : new AccountsFile(List.of());
        Path key = settings.accountsKey() == null ? SecretEncryption.defaultKeyFile(path) : settings.accountsKey();
        var secrets = new AccountWebhookSecrets(file, SecretEncryption.load(key), kafka, onFatal);
        secrets.tailer.start();
        return secrets;
    }

    @Override
    public List<String> of(String accountId) {
        return accounts.webhookSecrets(accountId).orElseGet(() -> file.getOrDefault(accountId, List.of()));
    }

    @Override
    public List<Subscriber> of(String eventType, List<List<String>> access) {
        return Subscribers.among(accounts.records(), eventType, access);
    }

    @Override
    public boolean awaitRead(Duration timeout) throws InterruptedException {
        return reader.awaitCaughtUp(timeout);
    }

    @Override
    public void close() {
        tailer.close();
    }
}
