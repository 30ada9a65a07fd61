package millrace.gateway.accounts;

import java.time.Duration;
import java.time.Instant;
import java.time.YearMonth;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import millrace.contracts.AccountAudit;
import millrace.contracts.AccountAudit.Action;
import millrace.contracts.AccountCommand;
import millrace.contracts.AccountRecord;
import millrace.contracts.AccountRecord.Monthly;
import millrace.contracts.AccountRecord.Secret;
import org.jspecify.annotations.Nullable;

/** What a change makes of an account. Nothing is decided anywhere else. */
final class AccountRules {
    private static final int MOST_KEYS = 100;
    /** As long as the audit tells of them. */
    private static final Duration REVOKED_KEPT = Duration.ofDays(400);

    private final String id;
    private final Instant now;

    private AccountRules(String id, Instant now) {
        this.id = id;
        this.now = now;
    }

    /** @param before null where there is no such account */
    static Decision decide(String accountId, @Nullable AccountRecord before, AccountChange change, Instant now) {
        var rules = new AccountRules(accountId, now);
        if (change instanceof AccountChange.Create c) {
            return before == null
                    ? rules.create(c)
                    : new Decision.Refused("id: there is an account " + accountId + " already.");
        }
        if (change instanceof AccountChange.Declare(FileEntry entry)) {
            return before == null ? rules.declareNew(entry) : rules.declare(before, entry);
        }
        return before == null
                ? new Decision.Unknown("There is no account " + accountId + ".")
                : rules.change(before, change);
    }

    private Decision change(AccountRecord a, AccountChange change) {
        return switch (change) {
            case AccountChange.Create c -> throw new IllegalStateException("not here: " + c);
            case AccountChange.Declare c -> throw new IllegalStateException("not here: " + c);
            case AccountChange.Rename(String name) -> changed(a, new Draft(a).name(name), Action.RENAMED);
            case AccountChange.Suspend() -> changed(a, new Draft(a).suspended(true), Action.SUSPENDED);
            case AccountChange.Resume() -> changed(a, new Draft(a).suspended(false), Action.RESUMED);
            case AccountChange.IssueKey(AccountRecord.Key key) -> issue(a, key);
            case AccountChange.RevokeKey(String keyId) -> revoke(a, keyId);
            case AccountChange.Grant(String grantId, long credits) ->
                credits(
                        new Draft(a),
                        Action.CREDITS_GRANTED,
                        new AccountCommand.GrantCredits(grantId, credits, "granted by an operator"));
            case AccountChange.Expire(String expiryId, long credits) ->
                credits(
                        new Draft(a),
                        Action.CREDITS_EXPIRED,
                        new AccountCommand.ExpireCredits(expiryId, credits, "expired by an operator"));
            case AccountChange.SetEntitlements(var entitlements) ->
                changed(a, new Draft(a).entitlements(entitlements), Action.ENTITLEMENTS_SET);
            case AccountChange.SetLimits(var limits) -> changed(a, new Draft(a).limits(limits), Action.LIMITS_SET);
            case AccountChange.SetMonthly(var credits) ->
                changed(a, new Draft(a).monthly(monthly(a.monthly(), credits)), Action.MONTHLY_SET);
            case AccountChange.GrantMonth(YearMonth month) -> grantMonth(a, month);
            case AccountChange.RotateSecret(Secret secret, Duration overlap) ->
                changed(a, new Draft(a).secrets(rotated(a.webhookSecrets(), secret, overlap)), Action.SECRET_ROTATED);
        };
    }

    private Decision create(AccountChange.Create c) {
        Draft draft = new Draft(Draft.empty(id, now))
                .name(c.name())
                .entitlements(c.entitlements())
                .limits(c.limits())
                .monthly(monthly(null, c.monthlyCredits()))
                .secrets(List.of(c.secret()));
        return opening(draft, c.credits(), Action.CREATED);
    }

    private Decision declareNew(FileEntry e) {
        Draft draft = taken(new Draft(Draft.empty(id, now)), Map.of(), e);
        return opening(draft, e.credits(), Action.CREATED);
    }

    /** Takes the parts of the entry that the file has changed since; what only operators changed stays. */
    private Decision declare(AccountRecord before, FileEntry e) {
        if (before.declared().equals(e.fingerprints())) {
            return new Decision.Unchanged(before);
        }
        Draft draft = taken(new Draft(before), before.declared(), e);
        return opening(draft, e.differs(before.declared(), FileEntry.CREDITS) ? e.credits() : 0, Action.DECLARED);
    }

    private static Draft taken(Draft draft, Map<String, String> taken, FileEntry e) {
        AccountRecord before = draft.record();
        Draft d = draft.declared(e.fingerprints());
        d = e.differs(taken, FileEntry.NAME) ? d.name(e.name()) : d;
        d = e.differs(taken, FileEntry.SUSPENDED) ? d.suspended(e.suspended()) : d;
        d = e.differs(taken, FileEntry.KEYS) ? d.keys(merged(before.keys(), e.keys())) : d;
        d = e.differs(taken, FileEntry.ENTITLEMENTS) ? d.entitlements(e.entitlements()) : d;
        d = e.differs(taken, FileEntry.LIMITS) ? d.limits(e.limits()) : d;
        d = e.differs(taken, FileEntry.MONTHLY) ? d.monthly(monthly(before.monthly(), e.monthlyCredits())) : d;
        return e.differs(taken, FileEntry.SECRETS) ? d.secrets(e.webhookSecrets()) : d;
    }

    /** Those of the file, and those that were issued. */
    private static List<AccountRecord.Key> merged(List<AccountRecord.Key> before, List<AccountRecord.Key> declared) {
        List<AccountRecord.Key> keys = new ArrayList<>(declared);
        before.stream()
                .filter(k -> !k.declared())
                .filter(k -> declared.stream().noneMatch(d -> d.sha256().equals(k.sha256())))
                .forEach(keys::add);
        return keys;
    }

    private Decision issue(AccountRecord a, AccountRecord.Key key) {
        List<AccountRecord.Key> keys = new ArrayList<>(a.keys().stream()
                .filter(k -> k.revokedAt() == null || k.revokedAt().isAfter(now.minus(REVOKED_KEPT)))
                .toList());
        if (keys.stream().filter(k -> k.revokedAt() == null).count() >= MOST_KEYS) {
            return new Decision.Refused("The account has " + MOST_KEYS + " keys, which is the most; revoke one first.");
        }
        keys.add(key);
        return changed(a, new Draft(a).keys(keys), Action.KEY_ISSUED);
    }

    private Decision revoke(AccountRecord a, String keyId) {
        if (a.keys().stream().noneMatch(k -> k.id().equals(keyId))) {
            return new Decision.Unknown("Account " + id + " has no key " + keyId + ".");
        }
        List<AccountRecord.Key> keys = a.keys().stream()
                .map(k -> k.id().equals(keyId) && k.revokedAt() == null
                        ? new AccountRecord.Key(
                                k.id(), k.kind(), k.sha256(), k.dialect(), k.label(), k.declared(), k.issuedAt(), now)
                        : k)
                .toList();
        return changed(a, new Draft(a).keys(keys), Action.KEY_REVOKED);
    }

    private Decision grantMonth(AccountRecord a, YearMonth month) {
        Monthly monthly = a.monthly();
        if (!MonthlyDue.due(a, month) || monthly == null) {
            return new Decision.Unchanged(a);
        }
        var grant = new AccountCommand.GrantCredits(
                "monthly-" + id + "-" + month, monthly.credits(), "monthly credits of " + month);
        return credits(
                new Draft(a).monthly(new Monthly(monthly.credits(), month.toString())), Action.CREDITS_GRANTED, grant);
    }

    private List<Secret> rotated(List<Secret> before, Secret newest, Duration overlap) {
        Instant end = now.plus(overlap);
        List<Secret> secrets = new ArrayList<>(List.of(newest));
        for (Secret s : before) {
            Instant until = s.expiresAt() == null || s.expiresAt().isAfter(end) ? end : s.expiresAt();
            if (until.isAfter(now)) {
                secrets.add(new Secret(s.id(), s.sealed(), s.createdAt(), until));
            }
        }
        return secrets;
    }

    private static @Nullable Monthly monthly(@Nullable Monthly before, @Nullable Long credits) {
        return credits == null ? null : new Monthly(credits, before == null ? null : before.granted());
    }

    private Decision opening(Draft draft, long credits, Action action) {
        if (credits == 0) {
            return new Decision.Changed(draft.next(now), action, List.of(), List.of());
        }
        return credits(draft, action, new AccountCommand.GrantCredits("opening-" + id, credits, "opening credits"));
    }

    private Decision credits(Draft draft, Action action, AccountCommand.GrantCredits grant) {
        var moved = new AccountAudit.Change("credits." + grant.grantId(), null, "+" + grant.amount());
        return new Decision.Changed(draft.next(now), action, List.of(grant), List.of(moved));
    }

    private Decision credits(Draft draft, Action action, AccountCommand.ExpireCredits expiry) {
        String amount = expiry.amount() == Long.MAX_VALUE ? "all that remains" : Long.toString(expiry.amount());
        var moved = new AccountAudit.Change("credits." + expiry.expiryId(), null, "-" + amount);
        return new Decision.Changed(draft.next(now), action, List.of(expiry), List.of(moved));
    }

    private Decision changed(AccountRecord before, Draft draft, Action action) {
        return draft.record().equals(before)
                ? new Decision.Unchanged(before)
                : new Decision.Changed(draft.next(now), action, List.of(), List.of());
    }
}
