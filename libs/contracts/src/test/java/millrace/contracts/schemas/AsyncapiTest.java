package millrace.contracts.schemas;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import millrace.contracts.Json;
import millrace.contracts.accounts.AccountAudit;
import millrace.contracts.accounts.LedgerEntry;
import millrace.contracts.delivery.WebhookAttempt;
import millrace.contracts.delivery.WebhookDeadLetter;
import millrace.contracts.reports.ReportEvent;
import millrace.contracts.reports.ReportStatus;
import millrace.contracts.requests.DataVersionAvailable;
import millrace.contracts.samples.MessageSample;
import millrace.contracts.samples.MessageSamples;
import millrace.contracts.samples.SampleValues;
import millrace.contracts.topics.CloudEvent;
import millrace.contracts.topics.CloudEventTest;
import millrace.contracts.topics.Topic;
import millrace.contracts.topics.Topics;
import org.apache.kafka.common.header.Headers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What docs/asyncapi.yaml tells analytics teams is what the code does. */
class AsyncapiTest {
    private static final Path FILE = Path.of(System.getProperty("root", "../.."), "docs/asyncapi.yaml");
    private static final JsonNode DOCUMENT = read();

    @Test
    void thePublicTopicsAreTheChannels() {
        assertThat(elements(DOCUMENT.path("channels"))
                        .map(channel -> channel.path("address").asText()))
                .containsExactlyInAnyOrderElementsOf(
                        publicTopics().stream().map(Topic::name).toList());
        assertThat(elements(DOCUMENT.path("operations")).map(operation -> resolve(operation.path("channel"))
                        .path("address")
                        .asText()))
                .containsExactlyInAnyOrderElementsOf(
                        publicTopics().stream().map(Topic::name).toList());
        assertThat(DOCUMENT.at("/info/description").asText()).contains("isolation.level=read_committed");
    }

    @ParameterizedTest
    @MethodSource("publicTopics")
    void keepsRecordsAsLongAsTheTopic(Topic<?> topic) {
        JsonNode kafka = channel(topic).at("/bindings/kafka");
        Map<String, String> settings = kafka.path("topicConfiguration").properties().stream()
                .collect(Collectors.toMap(
                        Map.Entry::getKey,
                        setting -> setting.getValue().isArray()
                                ? elements(setting.getValue())
                                        .map(JsonNode::asText)
                                        .collect(Collectors.joining(","))
                                : setting.getValue().asText()));
        assertThat(settings).isEqualTo(topic.config());
        assertThat(kafka.path("topic").asText()).isEqualTo(topic.name());
    }

    @ParameterizedTest
    @MethodSource("publicTopics")
    void namesEveryEventType(Topic<?> topic) {
        Stream<CloudEvent> written = MessageSamples.of(topic).stream().map(CloudEventTest::event);
        Stream<CloudEvent> tombstones = topic.equals(Topics.REPORT_STATUS)
                ? Stream.of(
                        CloudEvent.forgotten(SampleValues.REPORT, SampleValues.at("08:15:30")),
                        CloudEvent.erased(SampleValues.REPORT, SampleValues.at("08:15:30")))
                : Stream.empty();
        assertThat(messages(topic).flatMap(message -> StreamSupport.stream(
                                message.path("headers").findValue("enum").spliterator(), false)
                        .map(JsonNode::asText)))
                .containsExactlyInAnyOrderElementsOf(Stream.concat(written, tombstones)
                        .map(CloudEvent::type)
                        .distinct()
                        .toList());
    }

    @ParameterizedTest
    @MethodSource("publicTopics")
    void pointsToTheSchema(Topic<?> topic) {
        Path schemas = FILE.resolveSibling("../libs/contracts/src/main/resources/schemas");
        assertThat(payloads(topic)
                        .map(message ->
                                FILE.resolveSibling(message.at("/payload/$ref").asText())))
                .singleElement()
                .satisfies(file -> assertThat(file)
                        .isRegularFile()
                        .hasSameBinaryContentAs(schemas.resolve(TopicSchemas.fileName(topic))));
    }

    @ParameterizedTest
    @MethodSource("publicTopics")
    void saysHowKeysLook(Topic<?> topic) {
        assertThat(messages(topic).map(message -> message.at("/bindings/kafka/key/pattern")
                        .asText()))
                .allSatisfy(pattern -> assertThat(MessageSamples.of(topic))
                        .allSatisfy(sample -> assertThat(key(sample.value())).matches(pattern)));
    }

    @ParameterizedTest
    @MethodSource("publicTopics")
    void showsSamplesWithTheirHeaders(Topic<?> topic) {
        assertThat(payloads(topic)).allSatisfy(message -> {
            List<JsonNode> examples = elements(message.path("examples")).toList();
            assertThat(examples).isNotEmpty().allSatisfy(example -> {
                MessageSample<?> sample =
                        MessageSamples.of(topic, example.path("name").asText());
                JsonNode headers = example.path("headers");
                assertThat(example.path("payload").toString()).isEqualTo(Json.text(sample.value()));
                assertThat(headers).isEqualTo(tree(CloudEventTest.event(sample).headers()));
                assertThat(TopicSchemas.check(topic, example.path("payload"))).isEmpty();
                assertThat(TopicSchemas.check(schemaOfHeaders(message), headers))
                        .isEmpty();
            });
        });
    }

    @Test
    void requiresTheHeadersThatAreWritten() {
        JsonNode written = tree(CloudEvent.forgotten(SampleValues.REPORT, SampleValues.at("08:15:30"))
                .headers());
        JsonNode schema = DOCUMENT.at("/components/schemas/cloudEvent");
        assertThat(elements(schema.path("required")).map(JsonNode::asText))
                .containsExactlyElementsOf(
                        written.properties().stream().map(Map.Entry::getKey).toList());
        assertThat(TopicSchemas.check(schema, written)).isEmpty();
        assertThat(TopicSchemas.check(schema, ((ObjectNode) written).put("ce_specversion", "0.3")))
                .hasSize(1);
    }

    /** The record key of a public message. */
    private static String key(Object message) {
        return switch (message) {
            case ReportEvent m -> m.report().reportId().toString();
            case ReportStatus m -> Topics.reportKey(m.accountId(), m.reportId());
            case LedgerEntry m -> m.accountId();
            case AccountAudit m -> m.accountId();
            case WebhookAttempt m -> m.endpoint();
            case WebhookDeadLetter m -> m.endpoint();
            case DataVersionAvailable m -> m.dataset();
            default -> throw new AssertionError("say here what the key of " + message.getClass() + " is");
        };
    }

    private static JsonNode channel(Topic<?> topic) {
        return elements(DOCUMENT.path("channels"))
                .filter(channel -> channel.path("address").asText().equals(topic.name()))
                .findAny()
                .orElseThrow(() -> new AssertionError("docs/asyncapi.yaml has no channel for " + topic.name()));
    }

    private static Stream<JsonNode> messages(Topic<?> topic) {
        return elements(channel(topic).path("messages")).map(AsyncapiTest::resolve);
    }

    /** Messages with a value. */
    private static Stream<JsonNode> payloads(Topic<?> topic) {
        return messages(topic).filter(message -> message.path("payload").has("$ref"));
    }

    private static JsonNode schemaOfHeaders(JsonNode message) {
        ObjectNode schema = Json.MAPPER.createObjectNode();
        elements(message.at("/headers/allOf"))
                .map(part -> part.has("$ref") ? resolve(part) : part)
                .forEach(schema.withArray("allOf")::add);
        return schema;
    }

    private static JsonNode resolve(JsonNode reference) {
        JsonNode found = DOCUMENT.at(reference.path("$ref").asText().substring(1));
        assertThat(found.isMissingNode()).as(reference.toString()).isFalse();
        return found;
    }

    private static JsonNode tree(Headers headers) {
        ObjectNode tree = Json.MAPPER.createObjectNode();
        headers.forEach(header -> tree.put(header.key(), new String(header.value(), StandardCharsets.UTF_8)));
        return tree;
    }

    private static Stream<JsonNode> elements(JsonNode node) {
        return StreamSupport.stream(node.spliterator(), false);
    }

    private static List<Topic<?>> publicTopics() {
        return TopicSchemasTest.publicTopics();
    }

    private static JsonNode read() {
        try {
            return new YAMLMapper().readTree(FILE.toFile());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
