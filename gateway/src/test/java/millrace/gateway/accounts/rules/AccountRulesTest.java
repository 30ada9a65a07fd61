package millrace.gateway.accounts.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.YearMonth;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import millrace.contracts.Hashes;
import millrace.contracts.accounts.AccountRecord;
import millrace.contracts.commands.AccountCommand;
import millrace.runtime.accounts.DeclaredAccount;
import millrace.runtime.accounts.SecretEncryption;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Changes in a row; each line of what they did is {@code field: before > after}, and commands to the ledger. */
class AccountRulesTest {
    private static final Instant NOON = Instant.parse("2026-11-02T12:00:00Z");
    private static final SecretEncryption BOX =
            SecretEncryption.of("0123456789abcdef0123456789abcdef".getBytes(StandardCharsets.US_ASCII));

    private @Nullable AccountRecord account;
    private Instant now = NOON;

    @Test
    void anAccountIsMadeOnceWithItsOpeningCredits() {
        var create = new AccountChange.Create("Acme", 500, Map.of(), null, 100L, secret("s1"));
        assertThat(make(create))
                .containsExactly(
                        "created 1",
                        "monthly_credits: - > 100",
                        "name: - > Acme",
                        "suspended: - > false",
                        "webhook_secrets.s1: - > valid",
                        "credits.opening-acme: - > +500",
                        "GrantCredits[grantId=opening-acme, amount=500, reason=opening credits]");
        assertThat(make(new AccountChange.Create("Acme", 500, Map.of(), null, 100L, secret("s2"))))
                .containsExactly("refused: id: there is an account acme already.");
        assertThat(make(new AccountChange.Rename("Acme"))).containsExactly("unchanged");
        assertThat(make(new AccountChange.Rename("Acme plc"))).containsExactly("renamed 2", "name: Acme > Acme plc");
    }

    @Test
    void nothingIsChangedInAnAccountThatIsNotThere() {
        for (AccountChange change : List.of(
                new AccountChange.Suspend(),
                new AccountChange.Resume(),
                new AccountChange.Rename("x"),
                grant("g", 1),
                new AccountChange.SetLimits(null))) {
            assertThat(make(change)).containsExactly("unknown: There is no account acme.");
        }
    }

    @Test
    void suspensionAndLimitsAreSetOnce() {
        created();
        assertThat(make(new AccountChange.Suspend())).containsExactly("suspended 2", "suspended: false > true");
        assertThat(make(new AccountChange.Suspend())).containsExactly("unchanged");
        assertThat(make(new AccountChange.Resume())).containsExactly("resumed 3", "suspended: true > false");
        var limits = new AccountRecord.Limits(5, null, null);
        assertThat(make(new AccountChange.SetLimits(limits)))
                .containsExactly("limits_set 4", "limits.requests_per_second: - > 5");
        assertThat(make(new AccountChange.SetLimits(new AccountRecord.Limits(null, null, null))))
                .containsExactly("limits_set 5", "limits.requests_per_second: 5 > -");
        assertThat(make(new AccountChange.SetLimits(new AccountRecord.Limits(null, null, 90))))
                .containsExactly("limits_set 6", "limits.history_days: - > 90");
        var entitlement = new AccountRecord.Entitlement(
                List.of("US", "GB"), LocalDate.parse("2025-01-01"), LocalDate.parse("2026-10-31"));
        assertThat(make(new AccountChange.SetEntitlements(Map.of("app_data", entitlement))))
                .containsExactly("entitlements_set 7", "entitlements.app_data: - > US GB, 2025-01-01 to 2026-10-31");
    }

    /** What names people or opens something goes; what was given and taken stays. */
    @Test
    void anAccountThatIsClosedStaysSo() {
        make(new AccountChange.Create("Acme", 500, Map.of(), null, 100L, secret("s1")));
        make(new AccountChange.IssueKey(key("one", "jobs of Ann")));
        make(subscribe("sub_1", "https://a.example/data"));
        make(grant("g-1", 5));
        assertThat(make(new AccountChange.Close()))
                .containsExactly(
                        "closed 5",
                        "keys.key_one: batch (jobs of Ann) > -",
                        "monthly_credits: 100 > -",
                        "name: Acme > ",
                        "subscriptions.sub_1: data_version_available to https://a.example/data > -",
                        "suspended: false > true",
                        "webhook_secrets.s1: valid > -");
        AccountRecord closed = account();
        assertThat(closed.closedAt()).isEqualTo(now);
        assertThat(closed.opening()).isEqualTo(500);
        assertThat(closed.effectivelyBooked().move("g-1")).isPresent();
        now = NOON.plus(Duration.ofDays(40));
        for (AccountChange none : List.of(
                new AccountChange.Close(),
                new AccountChange.GrantMonths(YearMonth.parse("2026-12")),
                new AccountChange.ReencryptSecrets(Map.of()))) {
            assertThat(make(none)).containsExactly("unchanged");
        }
        for (AccountChange refused : List.of(
                new AccountChange.Resume(),
                new AccountChange.Rename("Acme"),
                new AccountChange.IssueKey(key("two", null)),
                grant("g-2", 5),
                file("Acme", 0, "whsec_MTIz"))) {
            assertThat(make(refused))
                    .containsExactly("refused: Account acme is closed, and its id cannot be used again.");
        }
        assertThat(make(new AccountChange.Create("Acme", 0, Map.of(), null, null, secret("s2"))))
                .containsExactly("refused: id: there is an account acme already.");
        assertThat(account()).isEqualTo(closed);
    }

    @Test
    void keysAreIssuedAndRevoked() {
        created();
        assertThat(make(new AccountChange.IssueKey(key("one", "jobs"))))
                .containsExactly("key_issued 2", "keys.key_one: - > batch (jobs)");
        assertThat(make(new AccountChange.RevokeKey("key_one")))
                .containsExactly("key_revoked 3", "keys.key_one: batch (jobs) > batch (jobs), revoked");
        assertThat(make(new AccountChange.RevokeKey("key_one"))).containsExactly("unchanged");
        assertThat(make(new AccountChange.RevokeKey("key_two")))
                .containsExactly("unknown: Account acme has no key key_two.");
        now = NOON.plus(Duration.ofDays(401));
        assertThat(make(new AccountChange.IssueKey(key("two", null))))
                .as("one that was revoked long ago is forgotten")
                .containsExactly("key_issued 4", "keys.key_one: batch (jobs), revoked > -", "keys.key_two: - > batch");
        for (int i = 3; i < 102; i++) {
            make(new AccountChange.IssueKey(key("k" + i, null)));
        }
        assertThat(make(new AccountChange.IssueKey(key("more", null))))
                .containsExactly("refused: The account has 100 keys, which is the most; revoke one first.");
    }

    @Test
    void webhooksAreSubscribedOnceEach() {
        created();
        assertThat(make(subscribe("sub_1", "https://a.example/data?token=1")))
                .as("the query may be secret, and the audit is public")
                .containsExactly(
                        "webhook_subscribed 2",
                        "subscriptions.sub_1: - > data_version_available to https://a.example/data");
        assertThat(make(subscribe("sub_1", "https://a.example/data?token=1"))).containsExactly("unchanged");
        assertThat(make(subscribe("sub_2", "https://a.example/data?token=1")))
                .containsExactly("refused: webhook_url: is subscribed already, as sub_1.");
        make(new AccountChange.Suspend());
        make(new AccountChange.SetLimits(new AccountRecord.Limits(5, null, null)));
        make(new AccountChange.IssueKey(key("one", null)));
        assertThat(account().subscribed()).as("after other changes").hasSize(1);
        for (int i = 2; i <= 10; i++) {
            make(subscribe("sub_" + i, "https://a.example/" + i));
        }
        assertThat(make(subscribe("sub_11", "https://a.example/11")))
                .containsExactly("refused: The account has 10 subscriptions, which is the most; delete one first.");
        assertThat(make(new AccountChange.Unsubscribe("sub_3")))
                .containsExactly(
                        "webhook_unsubscribed 15",
                        "subscriptions.sub_3: data_version_available to https://a.example/3 > -");
        assertThat(make(new AccountChange.Unsubscribe("sub_3")))
                .containsExactly("unknown: Account acme has no subscription sub_3.");
    }

    private static AccountChange subscribe(String id, String url) {
        return new AccountChange.Subscribe(
                new AccountRecord.Subscription(id, url, List.of("data_version_available"), NOON));
    }

    @Test
    void creditsGoToTheLedger() {
        created();
        assertThat(make(grant("g1", 70)))
                .containsExactly(
                        "credits_granted 2",
                        "credits.g1: - > +70",
                        "GrantCredits[grantId=g1, amount=70, reason=granted by an operator]");
        assertThat(make(grant("x1", -Long.MAX_VALUE)))
                .containsExactly(
                        "credits_expired 3",
                        "credits.x1: - > -all that remains",
                        "ExpireCredits[expiryId=x1, amount=9223372036854775807, reason=expired by an operator]");
    }

    @Test
    void anIdIsThatOfOneMove() {
        created();
        make(grant("g1", 70));
        make(grant("x1", -30));
        make(grant("x2", -Long.MAX_VALUE));
        for (AccountChange again : List.of(grant("g1", 70), grant("x1", -30), grant("x2", -Long.MAX_VALUE))) {
            assertThat(make(again)).containsExactly("unchanged");
        }
        for (long other : new long[] {71, -70, -Long.MAX_VALUE}) {
            assertThat(make(grant("g1", other)))
                    .containsExactly("refused: g1 is the id of a grant of 70 credits; choose another one.");
        }
        for (long other : new long[] {30, -31}) {
            assertThat(make(grant("x1", other)))
                    .containsExactly("refused: x1 is the id of an expiry of 30 credits; choose another one.");
        }
        assertThat(make(grant("x2", -5)))
                .containsExactly("refused: x2 is the id of an expiry of all credits; choose another one.");
    }

    @Test
    void theNewestMovesAreKept() {
        created();
        for (int i = 0; i < 200; i++) {
            make(grant("g" + i, 1));
        }
        assertThat(account().effectivelyBooked().whole()).isTrue();
        make(grant("last", 1));
        assertThat(account().effectivelyBooked().whole()).isFalse();
        assertThat(account().effectivelyBooked().moves()).hasSize(200);
        assertThat(make(grant("g1", 1))).containsExactly("unchanged");
        assertThat(account().effectivelyBooked().move("g0")).isEmpty();
    }

    @Test
    void whatAnEarlierBuildBookedIsNotKnown() {
        created();
        account = asOfAnEarlierBuild(account());
        make(grant("g1", 1));
        assertThat(account().effectivelyBooked().whole()).isFalse();
        assertThat(make(grant("g1", 1))).containsExactly("unchanged");
    }

    private static AccountChange grant(String id, long credits) {
        return new AccountChange.MoveCredits(new AccountRecord.Move(id, credits), false);
    }

    @Test
    void aMonthIsNotGrantedAgainWhereMonthlyCreditsEndAndBeginWithinIt() {
        created();
        YearMonth november = YearMonth.of(2026, 11);
        make(new AccountChange.SetMonthly(10L));
        make(new AccountChange.GrantMonths(november));
        make(new AccountChange.SetMonthly(null));
        assertThat(make(new AccountChange.SetMonthly(20L)))
                .containsExactly("monthly_set 5", "monthly_credits: - > 20", "monthly_credits.granted: - > 2026-11");
        assertThat(make(new AccountChange.GrantMonths(november))).containsExactly("unchanged");
        assertThat(make(new AccountChange.GrantMonths(november.plusMonths(1))))
                .contains("credits.monthly-acme-2026-12: - > +20");
    }

    @Test
    void monthsWithoutMonthlyCreditsAreNotMadeUpFor() {
        created();
        make(new AccountChange.SetMonthly(10L));
        make(new AccountChange.GrantMonths(YearMonth.of(2026, 8)));
        make(new AccountChange.SetMonthly(null));
        make(new AccountChange.SetMonthly(20L));
        assertThat(make(new AccountChange.GrantMonths(YearMonth.of(2026, 11))))
                .contains("credits.monthly-acme-2026-11: - > +20")
                .doesNotContain("credits.monthly-acme-2026-10: - > +20");
    }

    @Test
    void monthlyCreditsAreGrantedOncePerMonth() {
        created();
        YearMonth november = YearMonth.of(2026, 11);
        assertThat(make(new AccountChange.GrantMonths(november))).containsExactly("unchanged");
        assertThat(make(new AccountChange.SetMonthly(10L))).containsExactly("monthly_set 2", "monthly_credits: - > 10");
        assertThat(make(new AccountChange.GrantMonths(november)))
                .containsExactly(
                        "credits_granted 3",
                        "monthly_credits.granted: - > 2026-11",
                        "credits.monthly-acme-2026-11: - > +10",
                        "GrantCredits[grantId=monthly-acme-2026-11, amount=10, reason=monthly credits of 2026-11]");
        assertThat(make(new AccountChange.GrantMonths(november))).containsExactly("unchanged");
        make(new AccountChange.SetMonthly(20L));
        assertThat(make(new AccountChange.GrantMonths(november)))
                .as("not twice")
                .containsExactly("unchanged");
        assertThat(make(new AccountChange.GrantMonths(november.minusMonths(1))))
                .as("never back")
                .containsExactly("unchanged");
    }

    @Test
    void monthsInWhichNoGatewayRanAreMadeUpForThoseOfASuspensionAreNot() {
        created();
        make(new AccountChange.SetMonthly(20L));
        make(new AccountChange.GrantMonths(YearMonth.of(2026, 11)));
        assertThat(make(new AccountChange.GrantMonths(YearMonth.of(2027, 1))))
                .containsExactly(
                        "credits_granted 4",
                        "monthly_credits.granted: 2026-11 > 2027-01",
                        "credits.monthly-acme-2026-12: - > +20",
                        "credits.monthly-acme-2027-01: - > +20",
                        "GrantCredits[grantId=monthly-acme-2026-12, amount=20, reason=monthly credits of 2026-12]",
                        "GrantCredits[grantId=monthly-acme-2027-01, amount=20, reason=monthly credits of 2027-01]");
        make(new AccountChange.Suspend());
        assertThat(make(new AccountChange.GrantMonths(YearMonth.of(2027, 2)))).containsExactly("unchanged");
        now = Instant.parse("2027-04-15T12:00:00Z");
        assertThat(make(new AccountChange.Resume()))
                .contains("monthly_credits.granted: 2027-01 > 2027-03", "suspended: true > false");
        assertThat(make(new AccountChange.GrantMonths(YearMonth.of(2027, 4))))
                .filteredOn(line -> line.startsWith("Grant"))
                .containsExactly(
                        "GrantCredits[grantId=monthly-acme-2027-04, amount=20, reason=monthly credits of 2027-04]");
        assertThat(make(new AccountChange.GrantMonths(YearMonth.of(2037, 4))))
                .as("a clock that is years ahead")
                .filteredOn(line -> line.startsWith("Grant"))
                .hasSize(12);
    }

    @Test
    void anotherKeyChangesTheSealsAndNothingElse() {
        make(file("Acme", 100, "whsec_MTIz"));
        make(new AccountChange.Rename("By an operator"));
        SecretEncryption next =
                SecretEncryption.of("fedcba9876543210fedcba9876543210".getBytes(StandardCharsets.US_ASCII), BOX);
        assertThat(make(file(next, "Acme", 100, "whsec_MTIz")))
                .as("the file says nothing new, only its fingerprints are others")
                .containsExactly("declared 3");
        assertThat(make(file(next, "Acme", 100, "whsec_MTIz"))).containsExactly("unchanged");
        AccountRecord.Secret before = account().webhookSecrets().getFirst();
        String sealed = next.seal("acme", before.id(), next.open("acme", before.id(), before.sealed()));
        var reseal = new AccountChange.ReencryptSecrets(Map.of(before.id(), sealed, "whs_gone", "x"));
        assertThat(make(reseal)).containsExactly("secrets_resealed 4");
        assertThat(make(reseal)).containsExactly("unchanged");
        assertThat(account().webhookSecrets())
                .containsExactly(new AccountRecord.Secret(before.id(), sealed, before.createdAt(), null));
        assertThat(account().name()).isEqualTo("By an operator");
    }

    /** A commit whose acknowledgement was lost. */
    @Test
    void whatIsDecidedTwiceHappensOnce() {
        var create = new AccountChange.Create("Acme", 0, Map.of(), null, null, secret("s1"));
        make(create);
        assertThat(make(create)).containsExactly("unchanged");
        var issue = new AccountChange.IssueKey(key("a", null));
        make(issue);
        assertThat(make(issue)).containsExactly("unchanged");
        var rotate = new AccountChange.RotateSecret(secret("s2"), Duration.ofHours(1));
        make(rotate);
        assertThat(make(rotate)).containsExactly("unchanged");
    }

    @Test
    void aRotatedSecretSignsUntilTheOverlapEnds() {
        created();
        assertThat(make(new AccountChange.RotateSecret(secret("s2"), Duration.ofHours(24))))
                .containsExactly(
                        "secret_rotated 2",
                        "webhook_secrets.s1: valid > valid until 2026-11-03T12:00:00.000Z",
                        "webhook_secrets.s2: - > valid");
        assertThat(make(new AccountChange.RotateSecret(secret("s3"), Duration.ofDays(7))))
                .as("what ends sooner still does")
                .containsExactly(
                        "secret_rotated 3",
                        "webhook_secrets.s2: valid > valid until 2026-11-09T12:00:00.000Z",
                        "webhook_secrets.s3: - > valid");
        now = NOON.plus(Duration.ofDays(2));
        assertThat(make(new AccountChange.RotateSecret(secret("s4"), Duration.ZERO)))
                .containsExactly(
                        "secret_rotated 4",
                        "webhook_secrets.s1: valid until 2026-11-03T12:00:00.000Z > -",
                        "webhook_secrets.s2: valid until 2026-11-09T12:00:00.000Z > -",
                        "webhook_secrets.s3: valid > -",
                        "webhook_secrets.s4: - > valid");
    }

    @Test
    void theFileIsTakenOnceAndThenPartByPart() {
        assertThat(make(file("Acme", 100, "whsec_MTIz"))).contains("created 1", "credits.opening-acme: - > +100");
        assertThat(make(file("Acme", 100, "whsec_MTIz"))).containsExactly("unchanged");
        make(new AccountChange.Suspend());
        make(new AccountChange.IssueKey(key("issued", null)));
        make(new AccountChange.RotateSecret(secret("s2"), Duration.ZERO));
        assertThat(make(file("Acme", 100, "whsec_MTIz")))
                .as("a start changes nothing that the file has not changed")
                .containsExactly("unchanged");
        assertThat(make(file("Acme plc", 100, "whsec_MTIz"))).containsExactly("declared 5", "name: Acme > Acme plc");
        assertThat(make(file("Acme plc", 250, "whsec_MTIz")))
                .as("the ledger grants an opening once, and the audit says nothing else")
                .containsExactly("declared 6");
        assertThat(make(file("Acme plc", 250, "whsec_NDU2")))
                .anyMatch(line -> line.equals("webhook_secrets.s2: valid > -"));
        assertThat(account().suspended()).isTrue();
        assertThat(account().keys()).extracting(AccountRecord.Key::declared).containsExactly(true, false);
    }

    @Test
    void openingCreditsAreGrantedWhenTheFileFirstHasThem() {
        make(file("Acme", 0, "whsec_MTIz"));
        assertThat(make(file("Acme", 100, "whsec_MTIz")))
                .containsExactly(
                        "declared 2",
                        "credits.opening-acme: - > +100",
                        "GrantCredits[grantId=opening-acme, amount=100, reason=opening credits]");
        make(file("Acme", 0, "whsec_MTIz"));
        assertThat(make(file("Acme", 200, "whsec_MTIz"))).containsExactly("declared 4");
    }

    @Test
    void openingCreditsOfTheAdminApiAreTheOnlyOnes() {
        make(new AccountChange.Create("Acme", 500, Map.of(), null, null, secret("s1")));
        assertThat(make(file("Acme", 100, "whsec_MTIz"))).noneMatch(line -> line.contains("credits"));
    }

    /** Their records say nothing of opening credits. */
    @Test
    void openingCreditsOfEarlierBuildsAreKnownByTheFile() {
        make(file("Acme", 100, "whsec_MTIz"));
        account = asOfAnEarlierBuild(account());
        assertThat(make(file("Acme", 250, "whsec_MTIz"))).containsExactly("declared 2");
        account = null;
        make(file("Acme", 0, "whsec_MTIz"));
        account = asOfAnEarlierBuild(account());
        assertThat(make(file("Acme", 250, "whsec_MTIz"))).contains("credits.opening-acme: - > +250");
    }

    private static AccountRecord asOfAnEarlierBuild(AccountRecord a) {
        return new AccountRecord(
                a.accountId(),
                a.revision(),
                a.name(),
                a.suspended(),
                a.keys(),
                a.entitlements(),
                a.limits(),
                a.monthly(),
                a.webhookSecrets(),
                a.declared(),
                a.updatedAt(),
                null,
                null,
                null,
                null);
    }

    @Test
    void nothingThatIsToldOpensAnything() {
        List<String> told = make(file("Acme", 1, "whsec_MTIz"));
        told.addAll(make(new AccountChange.RotateSecret(secret("s2"), Duration.ofHours(1))));
        assertThat(told.toString()).doesNotContain("MTIz").doesNotContain(Hashes.sha256("file key"));
        assertThat(account().webhookSecrets().toString()).doesNotContain("MTIz");
    }

    private void created() {
        make(new AccountChange.Create("Acme", 0, Map.of(), null, null, secret("s1")));
    }

    private AccountRecord account() {
        return java.util.Objects.requireNonNull(account);
    }

    private List<String> make(AccountChange change) {
        AccountRecord before = account;
        List<String> told = new ArrayList<>();
        switch (AccountRules.decide("acme", before, change, now)) {
            case AccountDecision.Unchanged u -> told.add("unchanged");
            case AccountDecision.Refused(var code, String sentence) ->
                told.add((code.status() == 404 ? "unknown: " : "refused: ") + sentence);
            case AccountDecision.Changed c -> {
                account = c.after();
                told.add(c.action().word() + " " + c.after().revision());
                AccountDifferences.between(before, c.after()).forEach(d -> told.add(told(d)));
                c.credits().forEach(d -> told.add(told(d)));
                for (AccountCommand command : c.commands()) {
                    told.add(command.toString());
                }
            }
        }
        return told;
    }

    private static String told(millrace.contracts.accounts.AccountAudit.Change d) {
        return d.field() + ": " + (d.before() == null ? "-" : d.before()) + " > "
                + (d.after() == null ? "-" : d.after());
    }

    private AccountChange file(String name, long credits, String secret) {
        return file(BOX, name, credits, secret);
    }

    private AccountChange file(SecretEncryption box, String name, long credits, String secret) {
        var key = new DeclaredAccount.Key(AccountRecord.KeyKind.BATCH, Hashes.sha256("file key"), null, null);
        var entry = new DeclaredAccount("acme", name, List.of(key), credits, Map.of(), null, List.of(secret));
        return new AccountChange.Declare(AccountsFileEntry.of(entry, box, now));
    }

    private AccountRecord.Key key(String id, @Nullable String label) {
        return new AccountRecord.Key(
                "key_" + id, AccountRecord.KeyKind.BATCH, Hashes.sha256(id), null, label, false, now, null, null, null);
    }

    private static AccountRecord.Secret secret(String id) {
        return new AccountRecord.Secret(id, BOX.seal("acme", id, "whsec_MTIz"), NOON, null);
    }
}
