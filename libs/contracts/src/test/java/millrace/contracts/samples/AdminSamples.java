package millrace.contracts.samples;

import static millrace.contracts.samples.SampleValues.ACCOUNT;
import static millrace.contracts.samples.SampleValues.at;
import static millrace.contracts.samples.SampleValues.day;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import millrace.contracts.Hashes;
import millrace.contracts.accounts.AccountAudit;
import millrace.contracts.accounts.AccountAudit.Action;
import millrace.contracts.accounts.AccountAudit.Change;
import millrace.contracts.accounts.AccountRecord;
import millrace.contracts.accounts.AccountRecord.KeyKind;
import millrace.contracts.accounts.KeyScope;
import millrace.contracts.accounts.KeyUse;
import millrace.contracts.operation.PassedRequests;
import millrace.contracts.operation.ProcessState;
import millrace.contracts.operation.VersionSwitch;
import millrace.contracts.requests.ApiDialect;
import millrace.contracts.requests.DataVersionAvailable;
import millrace.contracts.topics.Topics;
import org.jspecify.annotations.Nullable;

/** Accounts, and what operators see and do. */
final class AdminSamples {
    private static final AccountRecord FULL = new AccountRecord(
            ACCOUNT,
            7,
            "Acme Ltd",
            true,
            List.of(
                    key("batch key", KeyKind.BATCH, ApiDialect.V3, null, true, false),
                    key("rest key", KeyKind.REST, ApiDialect.ORIGINAL, "nightly jobs", false, true)),
            Map.of(
                    "web_desktop_data",
                    new AccountRecord.Entitlement(List.of("GB", "US"), day("2024-01-01"), day("2026-10-31"))),
            new AccountRecord.Limits(20, 200, null),
            new AccountRecord.Monthly(10_000, "2026-11"),
            List.of(
                    new AccountRecord.Secret("whs_5d0c8e", "bmV3", at("08:15:30.120"), null),
                    new AccountRecord.Secret("whs_9f1a2b", "b2xk", at("07:00:00"), at("09:15:30.120"))),
            Map.of("name", "0d4f5e"),
            at("08:15:30.120"),
            null,
            null,
            null,
            null);

    private static final AccountRecord BARE = withKeys(1, key("a key", KeyKind.BATCH, null, null, false, false));

    private static final AccountRecord OPEN =
            limited(new AccountRecord.Limits(null, null, null), new AccountRecord.Monthly(10_000, null));

    private static final AccountRecord WITH_HISTORY = limited(new AccountRecord.Limits(20, 200, 90), null);

    private static final AccountRecord OPENED =
            account(1, List.of(), null, null, Map.of("keys.key_0a1b2c3d4e5f", "77aa01"), 10_000L, null, null);

    private static final AccountRecord EXPIRING = withKeys(
            2,
            key("a key", KeyKind.BATCH, null, "for a month", false, false)
                    .changed("for a month", Instant.parse("2027-01-31T00:00:00Z"), null));

    private static final AccountRecord SCOPED = withKeys(
            2,
            key("a key", KeyKind.BATCH, null, "reads", false, false).changed("reads", null, Set.of(KeyScope.READ)),
            key("another key", KeyKind.BATCH, null, "does the rest", false, false)
                    .changed("does the rest", null, Set.of(KeyScope.REQUEST, KeyScope.WEBHOOKS)));

    private static final AccountRecord SUBSCRIBED = account(
            3,
            List.of(),
            null,
            null,
            Map.of(),
            null,
            List.of(new AccountRecord.Subscription(
                    "sub_0a1b2c3d4e5f",
                    "https://hooks.example.com/data",
                    List.of(DataVersionAvailable.EVENT_TYPE),
                    at("08:15:30.120"))),
            null);

    private static final AccountRecord CLOSED = new AccountRecord(
            ACCOUNT,
            9,
            "",
            true,
            List.of(),
            Map.of(),
            null,
            null,
            List.of(),
            Map.of(),
            at("09:00:00.000"),
            10_000L,
            null,
            AccountRecord.Booked.NOTHING,
            at("09:00:00.000"));

    private static AccountRecord withKeys(long revision, AccountRecord.Key... keys) {
        return account(revision, List.of(keys), null, null, Map.of(), null, null, null);
    }

    private static AccountRecord limited(AccountRecord.Limits limits, AccountRecord.@Nullable Monthly monthly) {
        return account(2, List.of(), limits, monthly, Map.of(), null, null, null);
    }

    private static AccountRecord booked(AccountRecord.Booked booked) {
        return account(4, List.of(), null, null, Map.of(), null, null, booked);
    }

    private static AccountRecord account(
            long revision,
            List<AccountRecord.Key> keys,
            AccountRecord.@Nullable Limits limits,
            AccountRecord.@Nullable Monthly monthly,
            Map<String, String> declared,
            @Nullable Long opening,
            @Nullable List<AccountRecord.Subscription> subscriptions,
            AccountRecord.@Nullable Booked booked) {
        return new AccountRecord(
                ACCOUNT,
                revision,
                "Acme Ltd",
                false,
                keys,
                Map.of(),
                limits,
                monthly,
                List.of(),
                declared,
                at("08:15:30.120"),
                opening,
                subscriptions,
                booked,
                null);
    }

    private static final ProcessState STATE = new ProcessState(
            "millrace-1",
            false,
            new TreeMap<>(Map.of(
                    "gateway", new TreeMap<>(Map.of("disk", false, "kafka", true)),
                    "notifier", new TreeMap<>(Map.of("kafka", true)))),
            at("07:00:00"),
            at("08:15:30.250"),
            null);

    private static final ProcessState OF_PROCESSOR = new ProcessState(
            "millrace-2",
            true,
            new TreeMap<>(Map.of(ProcessState.PROCESSOR, new TreeMap<>(Map.of("kafka", true)))),
            at("07:00:00"),
            at("08:15:30.250"),
            6);

    static final List<MessageSample<?>> ALL = all();

    private AdminSamples() {}

    private static List<MessageSample<?>> all() {
        List<MessageSample<?>> all = new ArrayList<>(List.of(
                new MessageSample<>(Topics.ACCOUNTS, "full", FULL),
                new MessageSample<>(Topics.ACCOUNTS, "bare", BARE),
                new MessageSample<>(Topics.ACCOUNTS, "without-words", OPEN),
                new MessageSample<>(Topics.ACCOUNTS, "with-a-history", WITH_HISTORY),
                new MessageSample<>(Topics.ACCOUNTS, "opened", OPENED),
                new MessageSample<>(Topics.ACCOUNTS, "with-a-key-that-expires", EXPIRING),
                new MessageSample<>(Topics.ACCOUNTS, "with-keys-that-have-scopes", SCOPED),
                new MessageSample<>(Topics.KEY_USES, "used", new KeyUse("key_8fa3aab2faa9", at("08:15:30.120"))),
                new MessageSample<>(
                        Topics.PASSED_REQUESTS,
                        "counts",
                        new PassedRequests(
                                "0b6f2c1e-6a34-4f0c-9d55-0f2d7c1a9e10",
                                List.of(new PassedRequests.Count(ACCOUNT, 10, 3, 240)),
                                List.of(new PassedRequests.Count(ACCOUNT, 50, 21, 250)))),
                new MessageSample<>(Topics.ACCOUNTS, "subscribed", SUBSCRIBED),
                new MessageSample<>(Topics.ACCOUNTS, "closed", CLOSED),
                new MessageSample<>(
                        Topics.ACCOUNTS,
                        "booked",
                        booked(AccountRecord.Booked.NOTHING
                                .with(new AccountRecord.Move("invoice-1042", 5_000))
                                .with(new AccountRecord.Move("expiry-2026-11", -500)))),
                new MessageSample<>(
                        Topics.ACCOUNTS, "booked-a-month", booked(AccountRecord.Booked.NOTHING.withMonth("2026-11"))),
                audit(1, Action.CREATED, "ops", null, new Change("name", null, "Acme Ltd")),
                audit(2, Action.DECLARED, "accounts.yaml", null, new Change("name", "Acme", "Acme Ltd")),
                audit(3, Action.RENAMED, "ops", null, new Change("name", "Acme Ltd", "Acme plc")),
                audit(4, Action.SUSPENDED, "ops", "unpaid", new Change("suspended", "false", "true")),
                audit(5, Action.RESUMED, "ops", "paid", new Change("suspended", "true", "false")),
                audit(18, Action.CLOSED, "ops", "on request", new Change("name", "Acme Ltd", "")),
                audit(6, Action.KEY_ISSUED, "ops", null, new Change("keys.key_0a1b2c3d4e5f", null, "batch")),
                audit(7, Action.KEY_REVOKED, "ops", "leaked", new Change("keys.key_0a1b2c3d4e5f", "batch", "revoked")),
                audit(
                        8,
                        Action.CREDITS_GRANTED,
                        "schedule",
                        "monthly",
                        new Change("credits.m-2026-11", null, "+10000")),
                audit(9, Action.CREDITS_EXPIRED, "ops", "over", new Change("credits.x-1", null, "-500")),
                audit(10, Action.ENTITLEMENTS_SET, "ops", null, new Change("entitlements.app_data", "GB", null)),
                audit(11, Action.LIMITS_SET, "ops", null, new Change("limits.open_reports", null, "200")),
                audit(12, Action.MONTHLY_SET, "ops", null, new Change("monthly_credits", null, "10000")),
                audit(13, Action.SECRET_ROTATED, "ops", null, new Change("webhook_secrets.whs_5d0c8e", null, "valid")),
                audit(14, Action.SECRETS_RESEALED, "accounts-key", null),
                audit(
                        15,
                        Action.KEY_CHANGED,
                        "key_8fa3aab2faa9",
                        null,
                        new Change("keys.key_0a1b2c3d4e5f", "batch", "batch, expires 2027-01-31T00:00:00.000Z")),
                audit(
                        16,
                        Action.WEBHOOK_SUBSCRIBED,
                        "key_8fa3aab2faa9",
                        null,
                        new Change(
                                "subscriptions.sub_0a1b2c3d4e5f",
                                null,
                                "data_version_available to https://hooks.example.com/data")),
                audit(
                        17,
                        Action.WEBHOOK_UNSUBSCRIBED,
                        "key_8fa3aab2faa9",
                        null,
                        new Change(
                                "subscriptions.sub_0a1b2c3d4e5f",
                                "data_version_available to https://hooks.example.com/data",
                                null)),
                new MessageSample<>(Topics.PROCESS_STATES, "two-services", STATE),
                new MessageSample<>(Topics.PROCESS_STATES, "with-a-ledger", OF_PROCESSOR),
                versionSwitch("with-reason", "wrong import"),
                versionSwitch("without-reason", null)));
        return List.copyOf(all);
    }

    private static MessageSample<?> versionSwitch(String name, @Nullable String reason) {
        return new MessageSample<>(
                Topics.VERSION_SWITCHES,
                name,
                new VersionSwitch(
                        "demographics", "20261121-061530", "20261101-050000", "ops", reason, at("08:15:30.250")));
    }

    private static AccountRecord.Key key(
            String text,
            KeyKind kind,
            @Nullable ApiDialect dialect,
            @Nullable String label,
            boolean declared,
            boolean revoked) {
        String hash = Hashes.sha256(text);
        return new AccountRecord.Key(
                "key_" + hash.substring(0, 12),
                kind,
                hash,
                dialect,
                label,
                declared,
                at("07:00:00"),
                revoked ? at("08:00:00") : null,
                null,
                null);
    }

    private static MessageSample<?> audit(
            long revision, Action action, String actor, @Nullable String reason, Change... changes) {
        return new MessageSample<>(
                Topics.ACCOUNT_AUDIT,
                action.word(),
                new AccountAudit(ACCOUNT, revision, action, actor, reason, List.of(changes), at("08:15:30.250")));
    }
}
