package millrace.contracts.schemas;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import millrace.contracts.Json;
import millrace.contracts.samples.MessageSample;
import millrace.contracts.topics.Topic;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The tables in {@code docker/trino} are those of the schemas. */
class TrinoTableTest {
    static final List<MessageSample<?>> OPEN = TopicSchemasTest.OPEN;
    private static final Path FOLDER = Path.of(System.getProperty("root", "../.."), "docker/trino");
    private static final String WRITE =
            "mvn -q -pl libs/contracts test -Dtest=TrinoTableTest -Dreference=write writes it";

    @BeforeAll
    static void writesWhenAsked() throws IOException {
        if (System.getProperty("reference", "check").equals("write")) {
            for (Topic<?> topic : publicTopics()) {
                TrinoTable table = TrinoTable.of(topic);
                Files.writeString(file(table), table.file());
            }
        }
    }

    @ParameterizedTest
    @MethodSource("publicTopics")
    void theFileIsThatOfTheSchema(Topic<?> topic) {
        TrinoTable table = TrinoTable.of(topic);
        assertThat(file(table)).as(WRITE).content().isEqualTo(table.file());
    }

    @Test
    void theCatalogHasAllTablesAndNoOthers() throws IOException {
        List<String> names = publicTopics().stream()
                .map(TrinoTable::of)
                .map(TrinoTable::name)
                .toList();
        var catalog = new Properties();
        try (var in = Files.newInputStream(FOLDER.resolve("catalog/kafka.properties"))) {
            catalog.load(in);
        }
        assertThat(catalog.getProperty("kafka.table-names").split(",", -1)).containsExactlyInAnyOrderElementsOf(names);
        try (Stream<Path> files = Files.list(FOLDER.resolve("kafka"))) {
            assertThat(files.map(file -> file.getFileName().toString()).filter(name -> name.endsWith(".json")))
                    .containsExactlyInAnyOrderElementsOf(
                            names.stream().map(name -> name + ".json").toList());
        }
    }

    /** Looks from the records, and not from the schemas that the columns are made of. */
    @ParameterizedTest
    @FieldSource("OPEN")
    void everyFieldOfASampleIsInAColumn(MessageSample<?> sample) throws IOException {
        Map<String, TrinoTable.Column> columns = TrinoTable.of(sample.topic()).columns().values().stream()
                .collect(Collectors.toMap(TrinoTable.Column::mapping, Function.identity()));
        check(Json.MAPPER.readTree(sample.bytes()), "", columns);
    }

    private static void check(JsonNode node, String path, Map<String, TrinoTable.Column> columns) {
        TrinoTable.Column column = columns.get(path);
        if (column == null) {
            assertThat(node.isObject()).as("there is no column for %s", path).isTrue();
            node.properties()
                    .forEach(field -> check(
                            field.getValue(), path.isEmpty() ? field.getKey() : path + "/" + field.getKey(), columns));
            return;
        }
        String expected =
                switch (node.getNodeType()) {
                    case BOOLEAN -> "BOOLEAN";
                    case NUMBER -> node.isIntegralNumber() ? "BIGINT" : "DOUBLE";
                    case STRING ->
                        node.asText().matches("\\d{4}-\\d\\d-\\d\\dT.*Z")
                                ? "TIMESTAMP(3) WITH TIME ZONE"
                                : node.asText().matches("\\d{4}-\\d\\d-\\d\\d") ? "DATE" : "VARCHAR";
                    default -> "VARCHAR";
                };
        assertThat(column.type()).as(path).isEqualTo(expected);
    }

    private static Path file(TrinoTable table) {
        return FOLDER.resolve("kafka").resolve(table.name() + ".json");
    }

    private static List<Topic<?>> publicTopics() {
        return TopicSchemasTest.publicTopics();
    }
}
