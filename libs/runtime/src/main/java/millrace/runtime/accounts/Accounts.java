package millrace.runtime.accounts;

import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import millrace.contracts.accounts.AccountRecord;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the newest revision of each account, folded from the accounts topic, with its decrypted
 * webhook secrets. Safe for use by many threads.
 */
public final class Accounts {
    private record Known(AccountRecord record, List<Signer> signers) {}

    /** A decrypted webhook secret. */
    private record Signer(String secret, @Nullable Instant expiresAt) {
        boolean signsAt(Instant now) {
            return expiresAt == null || expiresAt.isAfter(now);
        }
    }

    private final SecretEncryption encryption;
    private final InstantSource clock;
    private final Consumer<AccountRecord> onChange;
    private final Map<String, Known> known = new ConcurrentHashMap<>();

    /** @param onChange called with each account that is new or has changed */
    public Accounts(SecretEncryption encryption, InstantSource clock, Consumer<AccountRecord> onChange) {
        this.encryption = encryption;
        this.clock = clock;
        this.onChange = onChange;
    }

    /**
     * Folds a record of the topic. An older revision than the known one changes nothing.
     *
     * @throws SecretDecryptionException where its secrets cannot be decrypted; everything else of
     *     the record has been folded then, so that a revoked key stops working, and the account
     *     signs with its earlier secrets
     */
    public void fold(AccountRecord record) {
        List<Signer> signers = null;
        SecretDecryptionException failure = null;
        try {
            signers = record.webhookSecrets().stream()
                    .map(s -> new Signer(encryption.open(record.accountId(), s.id(), s.sealed()), s.expiresAt()))
                    .toList();
        } catch (SecretDecryptionException e) {
            failure = e;
        }
        put(record, signers);
        if (failure != null) {
            throw failure;
        }
    }

    private void put(AccountRecord record, @Nullable List<Signer> signers) {
        Known now = known.compute(record.accountId(), (id, before) -> {
            if (before != null && before.record().revision() >= record.revision()) {
                return before;
            }
            List<Signer> earlier = before == null ? List.of() : before.signers();
            return new Known(record, signers == null ? earlier : signers);
        });
        if (now.record().equals(record)) {
            onChange.accept(record);
        }
    }

    public Optional<AccountRecord> record(String accountId) {
        return Optional.ofNullable(known.get(accountId)).map(Known::record);
    }

    /** All accounts, in the order of their ids. */
    public Collection<AccountRecord> records() {
        Map<String, AccountRecord> sorted = new TreeMap<>();
        known.forEach((id, account) -> sorted.put(id, account.record()));
        return sorted.values();
    }

    /** The secrets that sign now, newest first; empty where the account is not known. */
    public Optional<List<String>> webhookSecrets(String accountId) {
        Instant now = clock.instant();
        return Optional.ofNullable(known.get(accountId)).map(account -> account.signers().stream()
                .filter(signer -> signer.signsAt(now))
                .map(Signer::secret)
                .toList());
    }

    /** Whether events of the account can be signed now. */
    public boolean signsWebhooks(String accountId) {
        return webhookSecrets(accountId).stream().anyMatch(secrets -> !secrets.isEmpty());
    }
}
