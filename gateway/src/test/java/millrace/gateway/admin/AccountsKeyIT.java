package millrace.gateway.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import millrace.contracts.accounts.AccountAudit;
import millrace.contracts.accounts.AccountRecord;
import millrace.contracts.topics.Topics;
import millrace.gateway.TestGateway;
import millrace.gateway.TopicReader;
import millrace.runtime.accounts.SecretEncryption;
import millrace.testing.TestKafka;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The key that webhook secrets are encrypted with is changed while gateways run, one after the other. */
class AccountsKeyIT {
    private static final byte[] OLD = "the old key, of thirty-two bytes".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] NEW = "the new key, of thirty-two bytes".getBytes(StandardCharsets.US_ASCII);

    @TempDir
    Path folder;

    @Test
    void isChangedWithoutAStop() throws IOException {
        SecretEncryption before = SecretEncryption.of(OLD, SecretEncryption.of(NEW));
        SecretEncryption after = SecretEncryption.of(NEW, SecretEncryption.of(OLD));
        try (TestKafka kafka = TestKafka.withTopics(3);
                TestGateway one = gateway(kafka, before)) {
            var log = new TopicReader(kafka.bootstrapServers());
            var admin = new AdminClient(one.adminAddress(), TestGateway.ADMIN_KEY);
            String secret = admin.post("", "{\"id\":\"fresh\",\"name\":\"Fresh\"}")
                    .body()
                    .path("webhook_secret")
                    .asText();
            admin.send("PUT", "/acme/name", "{\"name\":\"Named by an operator\"}");
            try (TestGateway two = gateway(kafka, after)) {
                assertThat(newest(log).values()).allSatisfy(account -> assertThat(account.webhookSecrets())
                        .allMatch(s -> after.sealed(s.sealed())));
                // Both open what the other seals.
                assertThat(new AdminClient(two.adminAddress(), TestGateway.ADMIN_KEY)
                                .post("/fresh/webhook-secrets", "{\"overlap\":\"1h\"}")
                                .code())
                        .isEqualTo(201);
                await().atMost(Duration.ofSeconds(60))
                        .until(() -> admin.get("/fresh")
                                        .body()
                                        .path("webhook_secrets")
                                        .size()
                                == 2);
                assertThat(admin.post("/fresh/suspend", "").code()).isEqualTo(200);
            }
            try (TestGateway alone = gateway(kafka, SecretEncryption.of(NEW))) {
                assertThat(alone.ready()).isTrue();
                AccountRecord fresh = newest(log, "fresh");
                AccountRecord.Secret first = fresh.webhookSecrets().getLast();
                assertThat(SecretEncryption.of(NEW).open("fresh", first.id(), first.sealed()))
                        .isEqualTo(secret);
            }
            assertThat(newest(log, "acme").name()).isEqualTo("Named by an operator");
            assertThat(log.read(Topics.ACCOUNT_AUDIT))
                    .filteredOn(a -> a.accountId().equals("fresh"))
                    .extracting(AccountAudit::action)
                    .containsExactly(
                            AccountAudit.Action.CREATED,
                            AccountAudit.Action.SECRETS_RESEALED,
                            AccountAudit.Action.SECRET_ROTATED,
                            AccountAudit.Action.SUSPENDED);
        }
    }

    private TestGateway gateway(TestKafka kafka, SecretEncryption box) {
        return TestGateway.startWithAdmin(kafka.bootstrapServers(), folder, box);
    }

    private static AccountRecord newest(TopicReader log, String id) {
        return Objects.requireNonNull(newest(log).get(id), id);
    }

    private static Map<String, AccountRecord> newest(TopicReader log) {
        Map<String, AccountRecord> newest = new HashMap<>();
        List<AccountRecord> all = log.read(Topics.ACCOUNTS);
        all.forEach(record -> newest.put(record.accountId(), record));
        return newest;
    }
}
