package millrace.gateway.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import millrace.contracts.accounts.AccountRecord;
import millrace.contracts.accounts.AccountState;
import millrace.contracts.accounts.LedgerEntry;
import millrace.contracts.commands.AccountCommand;
import millrace.contracts.topics.Topics;
import millrace.gateway.FakeProcessor;
import millrace.gateway.TestGateway;
import millrace.gateway.TopicReader;
import millrace.testing.TestKafka;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Two gateways, at which operators grant credits and take them back. The ledger books when the test has it do so. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CreditMovesIT {

    @TempDir
    static Path folder;

    private TestKafka kafka;
    private TestGateway gatewayOne;
    private TestGateway gatewayTwo;
    private AdminClient one;
    private AdminClient two;
    private FakeProcessor ledger;
    private TopicReader log;

    @BeforeAll
    void start() throws IOException {
        kafka = TestKafka.withTopics(3);
        log = new TopicReader(kafka.bootstrapServers());
        ledger = new FakeProcessor(kafka.bootstrapServers());
        gatewayOne = gateway();
        gatewayTwo = gateway();
        one = new AdminClient(gatewayOne.adminAddress(), TestGateway.ADMIN_KEY);
        two = new AdminClient(gatewayTwo.adminAddress(), TestGateway.ADMIN_KEY);
    }

    private TestGateway gateway() {
        return TestGateway.startWithAdmin(kafka.bootstrapServers(), folder);
    }

    @AfterAll
    void stop() {
        gatewayOne.close();
        gatewayTwo.close();
        ledger.close();
        kafka.close();
    }

    @Test
    void aRepeatIsAnsweredAndChangesNothing() {
        create("repeated");
        assertThat(grant(one, "repeated", "invoice", 30)).isEqualTo("201 30");
        assertThat(grant(two, "repeated", "invoice", 30)).isEqualTo("201 30");
        assertThat(audited("repeated")).containsExactly("created", "credits_granted credits.repeated-invoice +30");
        assertThat(commands("repeated")).hasSize(1);
    }

    @Test
    void theIdOfAnotherMoveIsRefused() {
        create("mixed");
        grant(one, "mixed", "invoice", 30);
        assertThat(grant(two, "mixed", "invoice", 31))
                .startsWith("409 [\"mixed-invoice is the id of a grant of 30 credits;");
        assertThat(expire(two, "mixed", "invoice", "30")).startsWith("409 [\"mixed-invoice is the id of a grant of 30");
        assertThat(expire(two, "mixed", "invoice", "\"all\"")).startsWith("409");
        assertThat(audited("mixed")).hasSize(2);
        assertThat(commands("mixed")).hasSize(1);
    }

    @Test
    void ofTwoWithOneIdOneIsBookedAndTheOtherRefused() throws Exception {
        create("raced");
        List<Future<String>> answers = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 8; i++) {
                AdminClient gateway = i % 2 == 0 ? one : two;
                long amount = i % 4 < 2 ? 10 : 20;
                answers.add(threads.submit(() -> grant(gateway, "raced", "invoice", amount)));
            }
        }
        List<String> said = new ArrayList<>();
        for (Future<String> answer : answers) {
            said.add(answer.get().substring(0, 3));
        }
        assertThat(said).as("%s", answers).containsOnly("201", "409");
        assertThat(said).filteredOn("201"::equals).hasSize(4);
        assertThat(commands("raced")).hasSize(1);
        assertThat(audited("raced")).hasSize(2);
    }

    @Test
    void anExpirySaysWhatTheLedgerTook() {
        create("poor");
        grant(one, "poor", "g", 10);
        CompletableFuture<String> answer = CompletableFuture.supplyAsync(() -> expire(one, "poor", "x", "50"));
        await().until(() -> commands("poor").size() == 2);
        book("poor", 1, "g", LedgerEntry.Kind.GRANT, 10, 10);
        book("poor", 2, "x", LedgerEntry.Kind.EXPIRY, 10, 0);
        assertThat(answer.join()).as("the second where this takes longer").isIn("201 10", "202 ");
        await().until(() -> expire(one, "poor", "x", "50").equals("201 10"));
        await().until(() -> expire(two, "poor", "x", "50").equals("201 10"));
        assertThat(expire(two, "poor", "x", "10")).startsWith("409 [\"poor-x is the id of an expiry of 50 credits;");
        assertThat(commands("poor")).hasSize(2);
    }

    @Test
    void anExpiryThatIsNotBookedYetIsAccepted() {
        create("waiting");
        assertThat(expire(one, "waiting", "x", "\"all\"")).isEqualTo("202 ");
        assertThat(audited("waiting")).hasSize(2);
    }

    /** Its record does not tell what was booked; the ledger's entries do. */
    @Test
    void anAccountOfAnEarlierBuildIsToldFromTheLedger() {
        AccountRecord earlier = new AccountRecord(
                "earlier",
                7,
                "Earlier",
                false,
                List.of(),
                Map.of(),
                null,
                null,
                List.of(),
                Map.of(),
                Instant.now(),
                null,
                null,
                null,
                null);
        book("earlier", 1, "g", LedgerEntry.Kind.GRANT, 40, 40);
        book("earlier", 2, "x", LedgerEntry.Kind.EXPIRY, 40, 0);
        book("earlier", 3, "h", LedgerEntry.Kind.GRANT, 5, 5);
        ledger.put(Topics.ACCOUNT_STATE, "earlier", new AccountState("earlier", 5, 0, 0, 5, 0, 3));
        ledger.put(Topics.ACCOUNTS, "earlier", earlier);
        for (AdminClient gateway : List.of(one, two)) {
            await().until(() ->
                    gateway.get("/earlier/credits").body().path("granted").asInt() == 5);
            // Until the entries are read, it is asked to try again.
            await().until(() -> grant(gateway, "earlier", "h", 5).equals("201 5"));
        }
        assertThat(grant(one, "earlier", "g", 40)).isEqualTo("201 40");
        assertThat(grant(two, "earlier", "g", 41)).startsWith("409");
        assertThat(expire(one, "earlier", "g", "40")).startsWith("409");
        assertThat(expire(two, "earlier", "x", "\"all\"")).isEqualTo("201 40");
        assertThat(audited("earlier")).isEmpty();
        assertThat(commands("earlier")).isEmpty();
        assertThat(grant(one, "earlier", "new", 1)).isEqualTo("201 1");
        assertThat(audited("earlier")).hasSize(1);
    }

    @Test
    void monthlyCreditsThatEndAndBeginWithinAMonthAreGrantedOnce() {
        create("paid");
        one.send("PUT", "/paid/monthly-credits", "{\"amount\":40}");
        await().until(() -> commands("paid").size() == 1);
        one.send("DELETE", "/paid/monthly-credits", null);
        two.send("PUT", "/paid/monthly-credits", "{\"amount\":50}");
        // A change after that has looked at what is due.
        create("paid-too");
        one.send("PUT", "/paid-too/monthly-credits", "{\"amount\":1}");
        await().until(() -> commands("paid-too").size() == 1);
        assertThat(commands("paid")).hasSize(1);
        assertThat(audited("paid"))
                .filteredOn(line -> line.startsWith("credits_granted"))
                .hasSize(1);
    }

    private void create(String account) {
        assertThat(one.post("", "{\"id\":\"" + account + "\",\"name\":\"" + account + "\"}")
                        .code())
                .isEqualTo(201);
    }

    private static String grant(AdminClient gateway, String account, String id, long amount) {
        return said(gateway.post(
                "/" + account + "/credits/grants",
                "{\"amount\":" + amount + ",\"grant_id\":\"" + account + "-" + id + "\"}"));
    }

    private static String expire(AdminClient gateway, String account, String id, String amount) {
        return said(gateway.post(
                "/" + account + "/credits/expiries",
                "{\"amount\":" + amount + ",\"expiry_id\":\"" + account + "-" + id + "\"}"));
    }

    private static String said(AdminClient.Said said) {
        return said.code()
                + " "
                + (said.code() < 300
                        ? said.body().path("amount").asText()
                        : said.body().path("errors").toString());
    }

    private void book(String account, long sequence, String id, LedgerEntry.Kind kind, long amount, long remaining) {
        ledger.put(
                Topics.CREDIT_LEDGER,
                account,
                new LedgerEntry(
                        account + "-" + id,
                        account,
                        sequence,
                        kind,
                        null,
                        amount,
                        remaining,
                        0,
                        0,
                        remaining,
                        Instant.now()));
    }

    /** Ids begin with the account; those of months have it in the middle. */
    private List<AccountCommand> commands(String account) {
        return log.read(Topics.ACCOUNT_COMMANDS).stream()
                .filter(command -> {
                    String id =
                            switch (command) {
                                case AccountCommand.GrantCredits g -> g.grantId();
                                case AccountCommand.ExpireCredits e -> e.expiryId();
                                default -> "";
                            };
                    return id.startsWith(account + "-") || id.startsWith("monthly-" + account + "-20");
                })
                .toList();
    }

    /** The actions, with the credits that they moved. */
    private List<String> audited(String account) {
        return log.read(Topics.ACCOUNT_AUDIT).stream()
                .filter(audit -> audit.accountId().equals(account))
                .map(audit -> audit.action().word()
                        + audit.changes().stream()
                                .filter(change -> change.field().startsWith("credits."))
                                .map(change -> " " + change.field() + " " + change.after())
                                .collect(Collectors.joining()))
                .toList();
    }
}
