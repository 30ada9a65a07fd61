package millrace.gateway.admin;

import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Function;
import java.util.regex.Pattern;
import millrace.contracts.Hashes;
import millrace.contracts.accounts.AccountRecord;
import millrace.contracts.requests.ApiDialect;
import millrace.gateway.accounts.AccountWriter;
import millrace.gateway.accounts.rules.AccountChange;
import millrace.gateway.accounts.rules.AccountDecision;
import millrace.gateway.accounts.rules.AccountsFileEntry;
import millrace.gateway.readmodel.ReadModel;
import millrace.runtime.accounts.Accounts;
import millrace.runtime.accounts.SecretEncryption;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InvalidTimestampException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The routes of the admin API about accounts: what a call means, and what is answered. */
public final class AdminAccounts {
    private static final Logger LOG = LoggerFactory.getLogger(AdminAccounts.class);
    private static final String ACCOUNTS = "/admin/v1/accounts";
    private static final String ACCOUNT = ACCOUNTS + "/{id}";
    private static final Pattern ID = Pattern.compile("[A-Za-z0-9_-]{1,64}");
    private static final Pattern KIND = Pattern.compile("batch|rest");
    private static final Pattern DIALECT = Pattern.compile("v3|original");
    /** Not those that the ledger, the accounts file and the calendar give. */
    private static final Pattern MOVE_ID = Pattern.compile("(?!opening|monthly-)[A-Za-z0-9_-]{1,128}");

    private static final int MOST_PER_SECOND = 1_000_000;
    private static final Duration OVERLAP = Duration.ofHours(24);
    private static final Duration LONGEST_OVERLAP = Duration.ofDays(30);

    private final Accounts accounts;
    private final AccountWriter writer;
    private final ReadModel model;
    private final NewSecrets made;
    private final InstantSource clock;
    private final AccountHistory history;

    public AdminAccounts(
            Accounts accounts,
            AccountWriter writer,
            ReadModel model,
            SecretEncryption box,
            InstantSource clock,
            AccountHistory history) {
        this.accounts = accounts;
        this.writer = writer;
        this.model = model;
        this.made = new NewSecrets(box);
        this.clock = clock;
        this.history = history;
    }

    private record Listed(List<AccountAnswer> accounts) {}

    private record NewAccount(AccountAnswer account, String webhookSecret) {}

    private record NewKey(String key, AccountAnswer.Key details) {}

    private record NewSecret(String id, String secret, List<AccountAnswer.Secret> webhookSecrets) {}

    private record Moved(String id, String accountId, long amount) {}

    List<Route> routes() {
        return List.of(
                new Route("GET", ACCOUNTS, this::list),
                new Route("POST", ACCOUNTS, this::create),
                new Route("GET", ACCOUNT, call -> found(call, record -> Answer.ok(answer(record)))),
                new Route("PUT", ACCOUNT + "/name", call -> put(call, f -> new AccountChange.Rename(f.words("name")))),
                new Route("POST", ACCOUNT + "/suspend", call -> put(call, f -> new AccountChange.Suspend())),
                new Route("POST", ACCOUNT + "/resume", call -> put(call, f -> new AccountChange.Resume())),
                new Route("POST", ACCOUNT + "/keys", this::issueKey),
                new Route("DELETE", ACCOUNT + "/keys/{key}", this::revokeKey),
                new Route("GET", ACCOUNT + "/credits", call -> found(call, r -> history.credits(call))),
                new Route("POST", ACCOUNT + "/credits/grants", this::grant),
                new Route("POST", ACCOUNT + "/credits/expiries", this::expire),
                new Route("PUT", ACCOUNT + "/monthly-credits", this::monthly),
                new Route(
                        "DELETE",
                        ACCOUNT + "/monthly-credits",
                        call -> put(call, f -> new AccountChange.SetMonthly(null))),
                new Route("PUT", ACCOUNT + "/entitlements", this::entitle),
                new Route("PUT", ACCOUNT + "/limits", call -> put(call, f -> new AccountChange.SetLimits(limits(f)))),
                new Route("POST", ACCOUNT + "/webhook-secrets", this::rotate),
                new Route("GET", ACCOUNT + "/audit", call -> found(call, r -> history.audit(call))));
    }

    private Answer list(Call call) {
        return Answer.ok(
                new Listed(accounts.records().stream().map(this::answer).toList()));
    }

    private Answer create(Call call) {
        Fields f = Fields.of(call.body());
        String id = f.text("id", ID, "1 to 64 letters, digits, - and _");
        String secret = made.webhookSecret();
        var change = new AccountChange.Create(
                f.words("name"),
                or(f.optionalInteger("credits", 0, Fields.MOST_CREDITS), 0),
                f.entitlements("entitlements"),
                null,
                f.optionalInteger("monthly_credits", 1, Fields.MOST_CREDITS),
                made.sealed(id, secret, clock.instant()));
        return changed(call, id, f, change, record -> Answer.created(new NewAccount(answer(record), secret)));
    }

    private Answer issueKey(Call call) {
        Fields f = Fields.of(call.body());
        String kind = f.text("kind", KIND, "batch or rest");
        String label = f.optionalWords("label");
        String dialect = f.optionalText("dialect", DIALECT, "v3 or original");
        String text = made.key();
        String sha256 = Hashes.sha256(text);
        var key = new AccountRecord.Key(
                AccountsFileEntry.keyId(sha256),
                kind.equals("rest") ? AccountRecord.KeyKind.REST : AccountRecord.KeyKind.BATCH,
                sha256,
                dialect == null ? null : dialect.equals("original") ? ApiDialect.ORIGINAL : ApiDialect.V3,
                label,
                false,
                clock.instant(),
                null);
        return changed(
                call,
                call.part("id"),
                f,
                new AccountChange.IssueKey(key),
                record -> Answer.created(new NewKey(text, AccountAnswer.key(key))));
    }

    private Answer revokeKey(Call call) {
        return put(call, f -> new AccountChange.RevokeKey(call.part("key")));
    }

    private Answer grant(Call call) {
        Fields f = Fields.of(call.body());
        long amount = f.integer("amount", 1, Fields.MOST_CREDITS);
        String id = moveId(f, "grant_id", "grant-");
        return changed(
                call,
                call.part("id"),
                f,
                new AccountChange.Grant(id, amount),
                record -> Answer.created(new Moved(id, record.accountId(), amount)));
    }

    private Answer expire(Call call) {
        Fields f = Fields.of(call.body());
        long amount = f.amountOrAll("amount");
        String id = moveId(f, "expiry_id", "expiry-");
        // Afterwards the ledger may have taken it already.
        long most = Math.min(amount, model.remaining(call.part("id")));
        return changed(
                call,
                call.part("id"),
                f,
                new AccountChange.Expire(id, amount),
                record -> Answer.created(new Moved(id, record.accountId(), most)));
    }

    private Answer monthly(Call call) {
        return put(call, f -> new AccountChange.SetMonthly(f.integer("amount", 1, Fields.MOST_CREDITS)));
    }

    private Answer entitle(Call call) {
        return put(call, f -> new AccountChange.SetEntitlements(f.entitlements()));
    }

    private Answer rotate(Call call) {
        Fields f = Fields.of(call.body());
        String secret = made.webhookSecret();
        AccountRecord.Secret sealed = made.sealed(call.part("id"), secret, clock.instant());
        Duration overlap = f.duration("overlap", OVERLAP, LONGEST_OVERLAP);
        return changed(
                call,
                call.part("id"),
                f,
                new AccountChange.RotateSecret(sealed, overlap),
                record -> Answer.created(
                        new NewSecret(sealed.id(), secret, answer(record).webhookSecrets())));
    }

    private static AccountRecord.Limits limits(Fields f) {
        Long perSecond = f.optionalInteger("requests_per_second", 1, MOST_PER_SECOND);
        Long open = f.optionalInteger("open_reports", 1, MOST_PER_SECOND);
        return new AccountRecord.Limits(
                perSecond == null ? null : perSecond.intValue(), open == null ? null : open.intValue());
    }

    private String moveId(Fields f, String name, String prefix) {
        String given = f.optionalText(
                name, MOVE_ID, "1 to 128 letters, digits, - and _, not beginning with opening or monthly-");
        return given == null ? made.id(prefix) : given;
    }

    private Answer put(Call call, Function<Fields, AccountChange> read) {
        Fields f = Fields.of(call.body());
        AccountChange change = read.apply(f);
        return changed(call, call.part("id"), f, change, record -> Answer.ok(answer(record)));
    }

    private Answer changed(
            Call call, String id, Fields f, AccountChange change, Function<AccountRecord, Answer> answer) {
        String parameter = call.query().get("reason");
        // An object of entitlements has no room for a reason.
        String field = change instanceof AccountChange.SetEntitlements ? null : f.optionalWords("reason");
        String reason = parameter == null ? field : f.words("reason", parameter);
        List<String> errors = f.errors();
        if (!errors.isEmpty()) {
            return Answer.problem(400, errors);
        }
        try {
            return switch (writer.change(call.actor(), new AccountWriter.RequestedChange(id, change, reason))) {
                case AccountDecision.Changed c -> answer.apply(c.after());
                case AccountDecision.Unchanged(AccountRecord record) -> answer.apply(record);
                case AccountDecision.Unknown(String sentence) -> Answer.problem(404, sentence);
                case AccountDecision.Refused(String sentence) -> Answer.problem(409, sentence);
            };
        } catch (InvalidTimestampException e) {
            return Answer.problem(503, "Nothing was changed: " + e.getMessage() + ".");
        } catch (KafkaException e) {
            LOG.warn("a change to account {} was not acknowledged: {}", id, e.toString());
            return Answer.problem(
                    503,
                    "Kafka did not acknowledge in time; the change may or may not have been made: look, then repeat.");
        }
    }

    private Answer found(Call call, Function<AccountRecord, Answer> answer) {
        return accounts.record(call.part("id"))
                .map(answer)
                .orElseGet(() -> Answer.problem(404, "There is no account " + call.part("id") + "."));
    }

    private AccountAnswer answer(AccountRecord record) {
        return AccountAnswer.of(record, model.remaining(record.accountId()), clock.instant());
    }

    private static long or(@Nullable Long value, long otherwise) {
        return value == null ? otherwise : value;
    }
}
