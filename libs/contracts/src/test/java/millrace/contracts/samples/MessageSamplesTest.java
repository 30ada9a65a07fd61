package millrace.contracts.samples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import millrace.contracts.Json;
import millrace.contracts.commands.AccountCommand;
import millrace.contracts.topics.Topic;
import millrace.contracts.topics.Topics;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The JSON of every message is frozen: what is in a topic today is read tomorrow. A file changes only together with a field
 * that was added.
 */
class MessageSamplesTest {
    private static final String ADVICE =
            "Build one in a class that MessageSamples.ALL lists, run: mvn -q -pl libs/contracts test -Dsamples=write (it writes the"
                    + " files that do not exist yet and changes no other), and look at what it wrote.";

    @BeforeAll
    static void writesNewFilesWhenAsked() throws IOException {
        if (System.getProperty("samples", "check").equals("write")) {
            for (MessageSample<?> sample : MessageSamples.ALL) {
                if (Files.notExists(sample.file())) {
                    Files.createDirectories(sample.file().getParent());
                    Files.writeString(sample.file(), sample.written());
                }
            }
        }
    }

    @ParameterizedTest
    @FieldSource("millrace.contracts.samples.MessageSamples#ALL")
    <V> void readsAsTheValue(MessageSample<V> sample) {
        assertThat(sample.topic().decode(sample.bytes())).isEqualTo(sample.value());
    }

    @ParameterizedTest
    @FieldSource("millrace.contracts.samples.MessageSamples#ALL")
    <V> void writesTheSameText(MessageSample<V> sample) throws IOException {
        assertThat(sample.written()).isEqualTo(new String(sample.bytes(), StandardCharsets.UTF_8));
        assertThat(Json.MAPPER.readTree(sample.topic().encode(sample.value())))
                .isEqualTo(Json.MAPPER.readTree(sample.bytes()));
    }

    @ParameterizedTest
    @MethodSource("topicsOfMessages")
    void everyTopicHasSamples(Topic<?> topic) {
        assertThat(MessageSamples.of(topic))
                .as("topic %s has no sample. %s", topic.name(), ADVICE)
                .isNotEmpty();
    }

    @ParameterizedTest
    @MethodSource("topicsOfMessages")
    void everyVariantWordAndOptionHasASample(Topic<?> topic) {
        Set<String> missing = new TreeSet<>(MessageParts.ofType(topic.type()));
        MessageSamples.ALL.forEach(sample -> missing.removeAll(MessageParts.ofValue(sample.value())));
        assertThat(missing)
                .as(
                        "no sample has these parts of %s, topic %s. %s",
                        topic.type().getSimpleName(), topic.name(), ADVICE)
                .isEmpty();
    }

    @ParameterizedTest
    @MethodSource("topicsOfMessages")
    void everyFileIsASample(Topic<?> topic) throws IOException {
        assertThat(MessageSample.folder(topic)).isDirectory();
        try (Stream<Path> files = Files.list(MessageSample.folder(topic))) {
            assertThat(files.collect(Collectors.toSet()))
                    .containsExactlyInAnyOrderElementsOf(MessageSamples.of(topic).stream()
                            .map(MessageSample::file)
                            .toList());
        }
    }

    @Test
    void findsWhatASampleLacks() {
        assertThat(MessageParts.ofType(AccountCommand.class))
                .contains(
                        "AccountCommand.GrantCredits",
                        "AccountCommand.RequestReport.idempotency without a value",
                        "Granularity.SEVEN_DAYS");
        assertThat(MessageParts.ofValue(new AccountCommand.GrantCredits("g", 1, "r")))
                .containsExactly("AccountCommand.GrantCredits");
    }

    private static List<Topic<?>> topicsOfMessages() {
        return Topics.ALL.stream().filter(topic -> topic.type() != byte[].class).toList();
    }
}
