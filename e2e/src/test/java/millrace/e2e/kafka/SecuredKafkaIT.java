package millrace.e2e.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import millrace.broker.EmbeddedKafka;
import millrace.contracts.topics.Topics;
import millrace.e2e.client.WebhookReceiver;
import millrace.e2e.data.DemoRequests;
import millrace.e2e.process.BatchApiClient;
import millrace.e2e.process.MainProcess;
import millrace.e2e.process.ServiceProcesses;
import millrace.runtime.kafka.TopicCreation;
import millrace.runtime.settings.KafkaSettings;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A broker with TLS, passwords, and only the ACLs of the manual. */
@Tag("thorough") // a cluster of processes
class SecuredKafkaIT {
    private static final Duration TIMEOUT = Duration.ofSeconds(90);
    private static final String LOGIN =
            "org.apache.kafka.common.security.plain.PlainLoginModule required username=\"%1$s\" password=\"%1$s-secret\"";

    @TempDir
    Path folder;

    private Path keyStore;

    @BeforeEach
    void certify() throws Exception {
        keyStore = TestCertificates.keyStore(folder.resolve("kafka.p12"));
    }

    @Test
    void theServicesNeedWhatTheManualListsAndNoMore() throws Exception {
        try (EmbeddedKafka kafka = EmbeddedKafka.start(folder.resolve("kafka"), 0, broker());
                ServiceProcesses services = ServiceProcesses.prepare(folder.resolve("data"), kafka.bootstrapServers());
                WebhookReceiver receiver = WebhookReceiver.start()) {
            prepareTopics(services);
            MainProcess gateway = services.gateway("gateway-1", arguments("gateway"));
            services.processor("processor-1", ServiceProcesses.address(gateway), arguments("processor"));
            services.notifier("notifier-1", arguments("notifier"));
            BatchApiClient api = services.api(gateway);
            String report = api.submit("demographics", DemoRequests.with(DemoRequests.small(1), receiver.url()));
            BatchApiClient.Answer ended = api.ended(report, TIMEOUT);
            assertThat(ended.text("status")).as("%s", ended.body()).isEqualTo("complete");
            await("webhooks").atMost(TIMEOUT).until(() -> receiver.of(report).size() >= 2);
            assertThat(String.join("", services.outputs())).doesNotContain("uthorization", "-secret");
            refused(services);
        }
    }

    private void prepareTopics(ServiceProcesses services) throws Exception {
        Map<String, String> client = client("admin");
        TopicCreation.ensure(new KafkaSettings(services.bootstrapServers(), 3, 1, "admin", client), Topics.ALL);
        try (Admin admin = Admin.create(config(services, client))) {
            admin.createAcls(DocumentedAcls.documented()).all().get();
        }
    }

    private void refused(ServiceProcesses services) {
        try (Admin admin = Admin.create(config(services, client("notifier")))) {
            assertThatThrownBy(() -> admin.deleteTopics(List.of(Topics.CREDIT_LEDGER.name()))
                            .all()
                            .get())
                    .isInstanceOf(ExecutionException.class)
                    .hasCauseInstanceOf(TopicAuthorizationException.class);
        }
    }

    /** The listener keeps its name and uses TLS with passwords. */
    private Map<String, String> broker() {
        var users = new StringBuilder(LOGIN.formatted("admin"));
        for (String user : List.of("admin", "gateway", "processor", "notifier")) {
            users.append(" user_").append(user).append("=\"").append(user).append("-secret\"");
        }
        Map<String, String> p = new HashMap<>();
        p.put("listener.security.protocol.map", "PLAINTEXT:SASL_SSL,CONTROLLER:PLAINTEXT");
        p.put("inter.broker.listener.name", "PLAINTEXT");
        p.put("sasl.mechanism.inter.broker.protocol", "PLAIN");
        p.put("sasl.enabled.mechanisms", "PLAIN");
        p.put("listener.name.plaintext.plain.sasl.jaas.config", users + ";");
        p.put("ssl.keystore.location", keyStore.toString());
        p.put("ssl.keystore.type", "PKCS12");
        p.put("ssl.keystore.password", TestCertificates.PASSWORD);
        p.put("ssl.key.password", TestCertificates.PASSWORD);
        p.putAll(trust());
        p.put("authorizer.class.name", "org.apache.kafka.metadata.authorizer.StandardAuthorizer");
        // The controller's listener is used by this process only and is not authenticated.
        p.put("super.users", "User:admin;User:ANONYMOUS");
        return p;
    }

    private Map<String, String> client(String user) {
        Map<String, String> p = new HashMap<>(trust());
        p.put("security.protocol", "SASL_SSL");
        p.put("sasl.mechanism", "PLAIN");
        p.put("sasl.jaas.config", LOGIN.formatted(user) + ";");
        return p;
    }

    private Map<String, String> trust() {
        return Map.of(
                "ssl.truststore.location",
                TestCertificates.trustStore(keyStore).toString(),
                "ssl.truststore.type",
                "PKCS12",
                "ssl.truststore.password",
                TestCertificates.PASSWORD);
    }

    private static Map<String, Object> config(ServiceProcesses services, Map<String, String> client) {
        Map<String, Object> config = new HashMap<>(client);
        config.put("bootstrap.servers", services.bootstrapServers());
        return config;
    }

    private String[] arguments(String user) {
        List<String> arguments = new ArrayList<>();
        client(user).forEach((key, value) -> arguments.add("--kafka.client." + key + "=" + value));
        return arguments.toArray(String[]::new);
    }
}
