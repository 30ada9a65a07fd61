package millrace.catalog;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.exc.InvalidFormatException;
import com.fasterxml.jackson.databind.exc.UnrecognizedPropertyException;
import com.fasterxml.jackson.databind.exc.ValueInstantiationException;
import com.fasterxml.jackson.dataformat.yaml.JacksonYAMLParseException;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import java.io.IOException;
import java.util.Arrays;
import java.util.Objects;
import java.util.stream.Collectors;
import millrace.contracts.Json;

/** Reads one dataset file. */
final class DatasetFile {
    private static final YAMLFactory YAML = YAMLFactory.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build();
    private static final ObjectReader READER =
            Json.MAPPER.readerFor(Dataset.class).with(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);

    private DatasetFile() {}

    /**
     * @param file how the file is called in a message
     * @param name the name that the dataset must have
     */
    static Dataset read(String file, String name, byte[] yaml) {
        try (JsonParser parser = YAML.createParser(yaml)) {
            Dataset dataset = READER.readValue(parser);
            if (dataset == null) {
                throw new CatalogException(file, "is empty");
            }
            if (!dataset.name().equals(name)) {
                throw new CatalogException(
                        file, "name: is " + Text.quoted(dataset.name()) + ", but the file is called " + name + ".yaml");
            }
            return dataset;
        } catch (JsonProcessingException e) {
            throw new CatalogException(file, problem(e));
        } catch (IOException e) {
            throw new CatalogException(file, "cannot be read: " + e);
        }
    }

    private static String problem(JsonProcessingException e) {
        return switch (e) {
            case ValueInstantiationException v ->
                at(v)
                        + oneLine(String.valueOf(
                                Objects.requireNonNullElse(v.getCause(), v).getMessage()));
            case UnrecognizedPropertyException u ->
                at(u) + "is not a field here"
                        + Nearest.suggestion(
                                u.getPropertyName(),
                                u.getKnownPropertyIds().stream()
                                        .map(Object::toString)
                                        .toList());
            case InvalidFormatException i ->
                at(i) + Text.quoted(String.valueOf(i.getValue())) + " is not " + expected(i.getTargetType());
            case JsonMappingException m -> at(m) + oneLine(m.getOriginalMessage());
            case JacksonYAMLParseException y -> line(y) + oneLine(y.getOriginalMessage());
            default -> line(e) + oneLine(e.getOriginalMessage());
        };
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
