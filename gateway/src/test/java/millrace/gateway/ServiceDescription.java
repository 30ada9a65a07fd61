package millrace.gateway;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import millrace.contracts.Json;

/** The requests of the service's public description, and what they are answered: {@code service-description/README.md}. */
public final class ServiceDescription {
    private static final Path FOLDER = Path.of("src/test/resources/service-description");

    private ServiceDescription() {}

    /** @param content with method, path, request where there is one, status and answer */
    public record Example(String name, JsonNode content) {
        @Override
        public String toString() {
            return name;
        }
    }

    public static List<Example> examples() {
        try (Stream<Path> files = Files.list(FOLDER)) {
            List<Example> examples = new ArrayList<>();
            for (Path file :
                    files.filter(f -> f.toString().endsWith(".json")).sorted().toList()) {
                examples.add(new Example(
                        file.getFileName().toString().replace(".json", ""), Json.MAPPER.readTree(file.toFile())));
            }
            return examples;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What of an answer is not as it was: fields that are missing, of another type or of another value. */
    static List<String> differences(JsonNode expected, JsonNode answer, String path) {
        List<String> found = new ArrayList<>();
        if (expected instanceof ObjectNode fields) {
            for (Map.Entry<String, JsonNode> field : fields.properties()) {
                found.addAll(differences(field.getValue(), answer.path(field.getKey()), path + "." + field.getKey()));
            }
        } else if (expected.isArray() && answer.isArray() && expected.size() == answer.size()) {
            for (int i = 0; i < expected.size(); i++) {
                found.addAll(differences(expected.path(i), answer.path(i), path + "[" + i + "]"));
            }
        } else if (!matches(expected, answer)) {
            found.add(path + " was " + expected + " and is " + answer);
        }
        return found;
    }

    private static boolean matches(JsonNode expected, JsonNode answer) {
        return switch (expected.asText()) {
            case "<uuid>" -> answer.isTextual() && answer.asText().matches("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");
            case "<integer>" -> answer.isIntegralNumber();
            case "<text>" -> answer.isTextual() && !answer.asText().isBlank();
            case "<time>" -> answer.isTextual() && answer.asText().matches("\\d{4}-\\d\\d-\\d\\dT[0-9:.]{12}Z");
            case "<any>" -> !answer.isMissingNode();
            default -> expected.equals(answer);
        };
    }
}
