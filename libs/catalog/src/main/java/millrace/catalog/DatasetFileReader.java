package millrace.catalog;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.exc.InvalidFormatException;
import com.fasterxml.jackson.databind.exc.ValueInstantiationException;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.JacksonYAMLParseException;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;
import java.util.stream.Collectors;
import millrace.catalog.dataset.Dataset;
import millrace.catalog.text.Text;
import millrace.contracts.Json;

/** Reads a dataset file, and turns Jackson's errors into sentences. */
final class DatasetFileReader {
    private static final YAMLFactory YAML = YAMLFactory.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build();

    private DatasetFileReader() {}

    /**
     * @param file name of the file in messages
     * @param name the name that the dataset must have
     */
    static Dataset read(String file, String name, byte[] yaml) {
        return dataset(file, name, tree(file, yaml));
    }

    /** The content of a file, which is an object. */
    static ObjectNode tree(String file, byte[] yaml) {
        // What Java makes of bytes that are no character.
        String text = new String(yaml, StandardCharsets.UTF_8);
        int lost = text.indexOf('\uFFFD');
        if (lost >= 0) {
            long line = text.substring(0, lost).chars().filter(c -> c == '\n').count() + 1;
            throw new CatalogException(
                    file,
                    "line " + line + " is not UTF-8, or has a letter that was lost before (U+FFFD); save it as UTF-8");
        }
        try (JsonParser parser = YAML.createParser(yaml)) {
            if (Json.MAPPER.reader().readTree(parser) instanceof ObjectNode tree) {
                return tree;
            }
            throw new CatalogException(file, "does not declare a dataset");
        } catch (JsonProcessingException e) {
            throw new CatalogException(file, problem(e));
        } catch (IOException e) {
            throw new CatalogException(file, "cannot be read: " + e);
        }
    }

    static Dataset dataset(String file, String name, ObjectNode tree) {
        Dataset dataset = value(file, tree, Dataset.class);
        if (!dataset.name().equals(name)) {
            throw new CatalogException(
                    file, "name: is " + Text.quoted(dataset.name()) + ", but the file is called " + name + ".yaml");
        }
        return dataset;
    }

    /** A record as the tree declares it. */
    static <T> T value(String file, JsonNode tree, Class<T> type) {
        new UnknownFieldCheck(file).check(tree, type, "");
        try {
            return Json.MAPPER.readerFor(type).readValue(tree);
        } catch (JsonProcessingException e) {
            throw new CatalogException(file, problem(e));
        } catch (IOException e) {
            throw new CatalogException(file, "cannot be read: " + e);
        }
    }

    private static String problem(JsonProcessingException e) {
        return switch (e) {
            case ValueInstantiationException v -> violated(v);
            case InvalidFormatException i ->
                at(i) + Text.quoted(String.valueOf(i.getValue())) + " is not " + expected(i.getTargetType());
            case JsonMappingException m -> at(m) + plain(m.getOriginalMessage());
            case JacksonYAMLParseException y -> line(y) + oneLine(y.getOriginalMessage());
            default -> line(e) + oneLine(e.getOriginalMessage());
        };
    }

    /** The message of a record's own check, which may begin with a field. */
    private static String violated(ValueInstantiationException e) {
        String own = oneLine(
                String.valueOf(Objects.requireNonNullElse(e.getCause(), e).getMessage()));
        String at = at(e);
        return own.matches("[a-z_]+: .*") && !at.isEmpty()
                ? at.substring(0, at.length() - ": ".length()) + "." + own
                : at + own;
    }

    /** Removes what only a programmer can use. */
    private static String plain(String message) {
        return oneLine(message)
                .replaceAll("^Missing required creator property.*", "is missing")
                .replaceAll(" \\(but might if .*| \\(`[A-Za-z]+\\.[A-Z].*", "");
    }

    private static String at(JsonMappingException e) {
        String path = e.getPath().stream()
                .map(r -> r.getFieldName() != null ? "." + r.getFieldName() : "[" + r.getIndex() + "]")
                .collect(Collectors.joining());
        return path.isEmpty() ? "" : path.substring(1) + ": ";
    }

    private static String line(JsonProcessingException e) {
        return e.getLocation() == null ? "" : "line " + e.getLocation().getLineNr() + ": ";
    }

    private static String expected(Class<?> type) {
        return type.isEnum()
                ? "one of "
                        + Text.lower(Arrays.toString(type.getEnumConstants()).replaceAll("[\\[\\]]", ""))
                : "a value of type " + Text.lower(type.getSimpleName());
    }

    private static String oneLine(String message) {
        String first = message.lines().findFirst().orElse("");
        return first.replaceAll("\\s+", " ").strip();
    }
}
