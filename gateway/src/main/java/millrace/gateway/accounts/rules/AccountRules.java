package millrace.gateway.accounts.rules;

import java.time.Duration;
import java.time.Instant;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import millrace.contracts.accounts.AccountAudit;
import millrace.contracts.accounts.AccountAudit.Action;
import millrace.contracts.accounts.AccountRecord;
import millrace.contracts.accounts.AccountRecord.Booked;
import millrace.contracts.accounts.AccountRecord.Monthly;
import millrace.contracts.accounts.AccountRecord.Move;
import millrace.contracts.accounts.AccountRecord.Secret;
import millrace.contracts.accounts.AccountRecord.Subscription;
import millrace.contracts.commands.AccountCommand;
import millrace.gateway.problems.ProblemCode;
import org.jspecify.annotations.Nullable;

/** Decides what a change makes of an account. All rules for accounts are here. */
public final class AccountRules {
    private static final int MOST_KEYS = 100;
    /** Keys that were revoked or have expired and are still shown, beside those of the file. */
    private static final int MOST_ENDED = 100;
    /** The audit topic keeps its records as long. */
    private static final Duration ENDED_KEPT = Duration.ofDays(400);
    /** Each of them signs every webhook. */
    private static final int MOST_SECRETS = 10;
    /** Each of them gets every event that it is subscribed to. */
    private static final int MOST_SUBSCRIPTIONS = 10;

    private final String id;
    private final Instant now;

    private AccountRules(String id, Instant now) {
        this.id = id;
        this.now = now;
    }

    /** @param before null where there is no such account */
    public static AccountDecision decide(
            String accountId, @Nullable AccountRecord before, AccountChange change, Instant now) {
        var rules = new AccountRules(accountId, now);
        if (change instanceof AccountChange.Create c) {
            return before == null ? rules.create(c) : createAgain(before, c);
        }
        if (change instanceof AccountChange.Declare(AccountsFileEntry entry)) {
            return before == null
                    ? rules.declareNew(entry)
                    : before.closedAt() == null ? rules.declare(before, entry) : closed(accountId);
        }
        return before == null
                ? new AccountDecision.Refused(ProblemCode.ACCOUNT_NOT_FOUND, "There is no account " + accountId + ".")
                : rules.change(before, change);
    }

    /**
     * Recognises by its secret a creation whose acknowledgement was lost and that is decided once
     * more.
     */
    private static AccountDecision createAgain(AccountRecord before, AccountChange.Create c) {
        return has(before, c.secret())
                ? new AccountDecision.Unchanged(before)
                : new AccountDecision.Refused(
                        ProblemCode.ACCOUNT_EXISTS, "id: there is an account " + before.accountId() + " already.");
    }

    private static boolean has(AccountRecord a, Secret secret) {
        return a.webhookSecrets().stream().anyMatch(s -> s.id().equals(secret.id()));
    }

    private static AccountDecision closed(String accountId) {
        return new AccountDecision.Refused(
                ProblemCode.ACCOUNT_CLOSED, "Account " + accountId + " is closed, and its id cannot be used again.");
    }

    /** Nobody asks for these changes of one account, and nothing is left for them. */
    private static boolean passesOver(AccountChange change) {
        return change instanceof AccountChange.Close
                || change instanceof AccountChange.GrantMonths
                || change instanceof AccountChange.ReencryptSecrets;
    }

    private AccountDecision change(AccountRecord a, AccountChange change) {
        if (a.closedAt() != null) {
            return passesOver(change) ? new AccountDecision.Unchanged(a) : closed(id);
        }
        return switch (change) {
            case AccountChange.Create c -> throw new IllegalStateException("not here: " + c);
            case AccountChange.Declare c -> throw new IllegalStateException("not here: " + c);
            case AccountChange.Rename(String name) -> changed(a, d -> d.name = name, Action.RENAMED);
            case AccountChange.Suspend() -> changed(a, d -> d.suspended = true, Action.SUSPENDED);
            case AccountChange.Resume() -> changed(a, d -> suspended(d, false), Action.RESUMED);
            case AccountChange.Close() -> changed(a, d -> d.close(now), Action.CLOSED);
            case AccountChange.IssueKey(AccountRecord.Key key) -> issue(a, key);
            case AccountChange.RevokeKey(String keyId) -> revoke(a, keyId);
            case AccountChange.ChangeKey c -> changeKey(a, c);
            case AccountChange.ByOwnKey(String keyId, AccountChange own) -> byOwnKey(a, keyId, own);
            case AccountChange.MoveCredits c -> move(a, c.move());
            case AccountChange.SetEntitlements(var entitlements) ->
                changed(a, d -> d.entitlements = entitlements, Action.ENTITLEMENTS_SET);
            case AccountChange.SetLimits(var limits) -> changed(a, d -> d.limits(limits), Action.LIMITS_SET);
            case AccountChange.SetMonthly(var credits) -> changed(a, d -> monthly(d, credits), Action.MONTHLY_SET);
            case AccountChange.GrantMonths(YearMonth month) -> grantMonths(a, month);
            case AccountChange.ReencryptSecrets(var sealed) ->
                changed(a, d -> d.secrets = reencrypted(a.webhookSecrets(), sealed), Action.SECRETS_RESEALED);
            case AccountChange.RotateSecret(Secret secret, Duration overlap) -> rotate(a, secret, overlap);
            case AccountChange.Subscribe(Subscription subscription) -> subscribe(a, subscription);
            case AccountChange.Unsubscribe(String subscriptionId) -> unsubscribe(a, subscriptionId);
        };
    }

    private AccountDecision create(AccountChange.Create c) {
        AccountRecordEditor draft = AccountRecordEditor.ofNew(id, now);
        draft.name = c.name();
        draft.entitlements = c.entitlements();
        draft.limits(c.limits());
        draft.secrets = List.of(c.secret());
        monthly(draft, c.monthlyCredits());
        return opening(draft, c.credits(), Action.CREATED);
    }

    private AccountDecision declareNew(AccountsFileEntry e) {
        AccountRecordEditor draft = AccountRecordEditor.ofNew(id, now);
        applyEntry(draft, Map.of(), e);
        return opening(draft, e.credits(), Action.CREATED);
    }

    /**
     * Applies the parts of the entry that have changed in the file. What only operators changed
     * stays.
     */
    private AccountDecision declare(AccountRecord before, AccountsFileEntry e) {
        if (before.declared().equals(e.fingerprints())) {
            return new AccountDecision.Unchanged(before);
        }
        var draft = new AccountRecordEditor(before);
        applyEntry(draft, before.declared(), e);
        // The ledger grants opening credits once.
        boolean granted = before.opening() != null || e.grantedBy(before.declared());
        return opening(draft, granted ? 0 : e.credits(), Action.DECLARED);
    }

    private void applyEntry(AccountRecordEditor draft, Map<String, String> imported, AccountsFileEntry e) {
        draft.declared = e.fingerprints();
        if (e.differs(imported, AccountsFileEntry.NAME)) {
            draft.name = e.name();
        }
        if (e.differs(imported, AccountsFileEntry.SUSPENDED)) {
            suspended(draft, e.suspended());
        }
        if (e.differs(imported, AccountsFileEntry.KEYS)) {
            draft.keys = e.mergedKeys(imported, draft.keys);
        }
        if (e.differs(imported, AccountsFileEntry.ENTITLEMENTS)) {
            draft.entitlements = e.entitlements();
        }
        if (e.differs(imported, AccountsFileEntry.LIMITS)) {
            draft.limits(e.limits());
        }
        if (e.differs(imported, AccountsFileEntry.MONTHLY)) {
            monthly(draft, e.monthlyCredits());
        }
        if (e.differs(imported, AccountsFileEntry.SECRETS)) {
            draft.secrets = e.webhookSecrets();
        }
    }

    private AccountDecision issue(AccountRecord a, AccountRecord.Key key) {
        if (a.keys().stream().anyMatch(k -> k.sha256().equals(key.sha256()))) {
            return new AccountDecision.Unchanged(a);
        }
        List<AccountRecord.Key> keys = withoutForgotten(a.keys());
        keys.add(key);
        return withKeys(a, keys, Action.KEY_ISSUED);
    }

    private AccountDecision changeKey(AccountRecord a, AccountChange.ChangeKey change) {
        Optional<AccountRecord.Key> found =
                a.keys().stream().filter(k -> k.id().equals(change.keyId())).findFirst();
        if (found.isEmpty()) {
            return noSuchKey(change.keyId());
        }
        AccountRecord.Key key = found.get();
        if (key.revokedAt() != null) {
            return new AccountDecision.Refused("Key " + key.id() + " is revoked; make another one.");
        }
        if (change.scopes() != null && key.kind() == AccountRecord.KeyKind.REST) {
            return new AccountDecision.Refused(
                    "Key " + key.id() + " is a rest key, which has no scopes: it reads capabilities only.");
        }
        AccountRecord.Key after = key.changed(
                change.label() == null ? key.label() : change.label().value(),
                change.expiresAt() == null
                        ? key.expiresAt()
                        : change.expiresAt().value(),
                change.scopes() == null ? key.scopes() : change.scopes().value());
        return withKeys(a, a.keys().stream().map(k -> k.equals(key) ? after : k).toList(), Action.KEY_CHANGED);
    }

    private AccountDecision withKeys(AccountRecord a, List<AccountRecord.Key> keys, Action action) {
        return valid(keys) > MOST_KEYS && valid(keys) > valid(a.keys())
                ? new AccountDecision.Refused(
                        ProblemCode.LIMIT_REACHED,
                        "The account has " + MOST_KEYS + " keys, which is the most; revoke one first.")
                : changed(a, d -> d.keys = keys, action);
    }

    private long valid(List<AccountRecord.Key> keys) {
        return keys.stream().filter(k -> k.validAt(now)).count();
    }

    /**
     * Those of the file stay: an entry of the file must find its key again, or it would make a
     * revoked one valid.
     */
    private List<AccountRecord.Key> withoutForgotten(List<AccountRecord.Key> keys) {
        Set<String> shown = keys.stream()
                .filter(k -> !k.declared() && !k.validAt(now) && ended(k).isAfter(now.minus(ENDED_KEPT)))
                .sorted(Comparator.comparing(AccountRules::ended).reversed())
                .limit(MOST_ENDED)
                .map(AccountRecord.Key::id)
                .collect(Collectors.toSet());
        return new ArrayList<>(keys.stream()
                .filter(k -> k.declared() || k.validAt(now) || shown.contains(k.id()))
                .toList());
    }

    /** Of a key that is not valid any more. */
    private static Instant ended(AccountRecord.Key key) {
        Instant revoked = key.revokedAt();
        return revoked == null ? Objects.requireNonNull(key.expiresAt()) : revoked;
    }

    private AccountDecision byOwnKey(AccountRecord a, String keyId, AccountChange change) {
        Optional<OwnKeyRules> rules = OwnKeyRules.of(a, keyId, now);
        if (change instanceof AccountChange.RevokeKey(String revoked) && isRevoked(a, revoked)) {
            return new AccountDecision.Unchanged(a);
        }
        if (rules.isEmpty()) {
            return new AccountDecision.Refused(
                    "The key that this request carries, " + keyId + ", is not valid any more; nothing was changed.");
        }
        Optional<AccountDecision.Refused> refusal = rules.get().refusal(change);
        return refusal.isPresent()
                ? refusal.get()
                : rules.get().keepingAKey(change(a, rules.get().completed(change)));
    }

    private AccountDecision revoke(AccountRecord a, String keyId) {
        if (a.keys().stream().noneMatch(k -> k.id().equals(keyId))) {
            return noSuchKey(keyId);
        }
        List<AccountRecord.Key> keys = a.keys().stream()
                .map(k -> k.id().equals(keyId) && k.revokedAt() == null ? k.revoked(now) : k)
                .toList();
        return changed(a, d -> d.keys = keys, Action.KEY_REVOKED);
    }

    private static boolean isRevoked(AccountRecord a, String keyId) {
        return a.keys().stream().anyMatch(k -> k.id().equals(keyId) && k.revokedAt() != null);
    }

    private AccountDecision noSuchKey(String keyId) {
        return new AccountDecision.Refused(ProblemCode.KEY_NOT_FOUND, "Account " + id + " has no key " + keyId + ".");
    }

    private AccountDecision grantMonths(AccountRecord a, YearMonth month) {
        List<YearMonth> due = DueMonths.months(a, month);
        Monthly monthly = a.monthly();
        if (due.isEmpty() || monthly == null) {
            return new AccountDecision.Unchanged(a);
        }
        List<AccountCommand.GrantCredits> grants = due.stream()
                .map(m -> new AccountCommand.GrantCredits(
                        "monthly-" + id + "-" + m, monthly.credits(), "monthly credits of " + m))
                .toList();
        var draft = new AccountRecordEditor(a);
        draft.monthly = new Monthly(monthly.credits(), month.toString());
        return granted(draft, Action.CREDITS_GRANTED, grants);
    }

    private static List<Secret> reencrypted(List<Secret> before, Map<String, String> sealed) {
        return before.stream()
                .map(s -> new Secret(s.id(), sealed.getOrDefault(s.id(), s.sealed()), s.createdAt(), s.expiresAt()))
                .toList();
    }

    private AccountDecision rotate(AccountRecord a, Secret secret, Duration overlap) {
        if (has(a, secret)) {
            return new AccountDecision.Unchanged(a);
        }
        List<Secret> secrets = rotated(a.webhookSecrets(), secret, overlap);
        return secrets.size() > MOST_SECRETS
                ? new AccountDecision.Refused(
                        ProblemCode.LIMIT_REACHED,
                        "The account has " + MOST_SECRETS
                                + " webhook secrets that sign, which is the most; choose a shorter overlap.")
                : changed(a, d -> d.secrets = secrets, Action.SECRET_ROTATED);
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

    private AccountDecision subscribe(AccountRecord a, Subscription subscription) {
        List<Subscription> all = new ArrayList<>(a.subscribed());
        if (all.stream().anyMatch(s -> s.id().equals(subscription.id()))) {
            return new AccountDecision.Unchanged(a);
        }
        Optional<Subscription> same =
                all.stream().filter(s -> s.url().equals(subscription.url())).findFirst();
        if (same.isPresent()) {
            return new AccountDecision.Refused(
                    ProblemCode.ALREADY_SUBSCRIBED,
                    "webhook_url: is subscribed already, as " + same.get().id() + ".");
        }
        if (all.size() >= MOST_SUBSCRIPTIONS) {
            return new AccountDecision.Refused(
                    ProblemCode.LIMIT_REACHED,
                    "The account has " + all.size() + " subscriptions, which is the most; delete one first.");
        }
        all.add(subscription);
        return changed(a, d -> d.subscriptions = all, Action.WEBHOOK_SUBSCRIBED);
    }

    private AccountDecision unsubscribe(AccountRecord a, String subscriptionId) {
        List<Subscription> left = a.subscribed().stream()
                .filter(s -> !s.id().equals(subscriptionId))
                .toList();
        return left.size() == a.subscribed().size()
                ? new AccountDecision.Refused(
                        ProblemCode.SUBSCRIPTION_NOT_FOUND,
                        "Account " + id + " has no subscription " + subscriptionId + ".")
                : changed(a, d -> d.subscriptions = left, Action.WEBHOOK_UNSUBSCRIBED);
    }

    /** Months that begin during a suspension are not granted afterwards. */
    private void suspended(AccountRecordEditor d, boolean suspended) {
        boolean resumed = d.suspended && !suspended;
        if (resumed && d.monthly != null) {
            d.monthly = DueMonths.upTo(d.monthly, now);
        }
        d.suspended = suspended;
    }

    /** A month that was granted is not granted again where monthly credits end and begin within it. */
    private void monthly(AccountRecordEditor d, @Nullable Long credits) {
        Monthly before = d.monthly;
        Booked booked = d.record().effectivelyBooked();
        if (credits == null) {
            d.monthly = null;
            d.booked = before == null ? d.booked : booked.withMonth(before.granted());
            return;
        }
        String granted = before != null
                ? before.granted()
                : booked.month() == null || YearMonth.parse(booked.month()).isBefore(thisMonth())
                        ? null
                        : booked.month();
        d.monthly = new Monthly(credits, granted);
    }

    private YearMonth thisMonth() {
        return YearMonth.from(now.atOffset(ZoneOffset.UTC));
    }

    private AccountDecision opening(AccountRecordEditor draft, long credits, Action action) {
        if (credits == 0) {
            return new AccountDecision.Changed(draft.next(now), action, List.of(), List.of());
        }
        var grant = new AccountCommand.GrantCredits("opening-" + id, credits, "opening credits");
        draft.opening = credits;
        return granted(draft, action, List.of(grant));
    }

    /** The same id is the same move. */
    private AccountDecision move(AccountRecord a, Move move) {
        Booked booked = a.effectivelyBooked();
        Optional<Move> known = booked.move(move.id());
        if (known.isPresent()) {
            return known.get().equals(move)
                    ? new AccountDecision.Unchanged(a)
                    : new AccountDecision.Refused(ProblemCode.ID_TAKEN, otherMove(known.get()));
        }
        var draft = new AccountRecordEditor(a);
        draft.booked = booked.with(move);
        return move.credits() > 0
                ? granted(
                        draft,
                        Action.CREDITS_GRANTED,
                        List.of(new AccountCommand.GrantCredits(move.id(), move.credits(), "granted by an operator")))
                : expired(
                        draft, new AccountCommand.ExpireCredits(move.id(), -move.credits(), "expired by an operator"));
    }

    /** The sentence for an id that is that of another move. */
    public static String otherMove(Move known) {
        String what = known.credits() > 0
                ? "a grant of " + known.credits() + " credits"
                : "an expiry of " + (known.credits() == -Long.MAX_VALUE ? "all" : -known.credits()) + " credits";
        return known.id() + " is the id of " + what + "; choose another one.";
    }

    private AccountDecision granted(
            AccountRecordEditor draft, Action action, List<AccountCommand.GrantCredits> grants) {
        List<AccountAudit.Change> moved = grants.stream()
                .map(g -> new AccountAudit.Change("credits." + g.grantId(), null, "+" + g.amount()))
                .toList();
        return new AccountDecision.Changed(draft.next(now), action, List.copyOf(grants), moved);
    }

    private AccountDecision expired(AccountRecordEditor draft, AccountCommand.ExpireCredits expiry) {
        String amount = expiry.amount() == Long.MAX_VALUE ? "all that remains" : Long.toString(expiry.amount());
        var moved = new AccountAudit.Change("credits." + expiry.expiryId(), null, "-" + amount);
        return new AccountDecision.Changed(draft.next(now), Action.CREDITS_EXPIRED, List.of(expiry), List.of(moved));
    }

    private AccountDecision changed(AccountRecord before, Consumer<AccountRecordEditor> edit, Action action) {
        var draft = new AccountRecordEditor(before);
        edit.accept(draft);
        return draft.record().equals(before)
                ? new AccountDecision.Unchanged(before)
                : new AccountDecision.Changed(draft.next(now), action, List.of(), List.of());
    }
}
