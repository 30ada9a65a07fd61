package millrace.catalog.original;

import static com.fasterxml.jackson.core.JsonToken.END_ARRAY;
import static com.fasterxml.jackson.core.JsonToken.END_OBJECT;
import static com.fasterxml.jackson.core.JsonToken.START_ARRAY;
import static com.fasterxml.jackson.core.JsonToken.START_OBJECT;
import static com.fasterxml.jackson.core.JsonToken.VALUE_NULL;
import static com.fasterxml.jackson.core.JsonToken.VALUE_NUMBER_INT;
import static com.fasterxml.jackson.core.JsonToken.VALUE_STRING;

import com.fasterxml.jackson.core.JsonEncoding;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamWriteFeature;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import millrace.catalog.Catalog;
import millrace.catalog.dataset.Dataset;
import millrace.catalog.dataset.RequestFields;
import millrace.catalog.text.ClientJson;
import millrace.catalog.text.NearestName;
import millrace.catalog.text.Text;
import millrace.contracts.Json;
import org.jspecify.annotations.Nullable;

/**
 * Translates the body of v4 and v5 into that of v3, token by token: takes the values out of the objects that they are
 * in, and keeps what they say. Whether they are valid is not looked at, only whether they are where they belong.
 */
public final class NestedBody {
    private static final String DELIVERY = "delivery_information";
    private static final String PARAMETERS = DELIVERY + ".delivery_method_params";
    private static final String QUERY = "report_query";
    private static final String TABLES = QUERY + ".tables";
    private static final String TABLE = TABLES + "[0]";
    private static final String VTABLE = TABLE + ".vtable";
    private static final String FILTERS = TABLE + "." + RequestFields.FILTERS;
    private static final String PAGING = TABLE + ".paging";
    private static final Set<String> OBJECTS = Set.of(DELIVERY, PARAMETERS, QUERY, PAGING);
    /** Of deliveries that are refused anyway. */
    private static final Set<String> NOT_OFFERED = Set.of(PARAMETERS + ".integration_name", PARAMETERS + ".table_name");

    /** The path of each field of v3. Those that are not here are in {@link #FILTERS}. */
    private static final Map<String, String> PATHS = paths();

    /** Where v3 says something that no field of the body says. */
    private static final Set<String> NO_FIELDS = Set.of("body", "estimate");

    /** Every path that a body may have, in the order in which sentences name them. */
    private static final Set<String> KNOWN = Stream.of(
                    PATHS.values().stream(),
                    OBJECTS.stream().sorted(),
                    NOT_OFFERED.stream().sorted(),
                    Stream.of(TABLES, VTABLE))
            .flatMap(paths -> paths)
            .collect(Collectors.toCollection(LinkedHashSet::new));

    private static final JsonFactory JSON = JsonFactory.builder()
            .recyclerPool(Json.buffers())
            // Half of a character that takes two is an error of its field, and not of the translation.
            .enable(JsonWriteFeature.ESCAPE_NON_ASCII)
            .disable(StreamWriteFeature.AUTO_CLOSE_TARGET)
            .build();

    private final JsonParser parser;
    private final JsonGenerator out;
    private final BodyErrors errors;
    private final Set<String> seen = new HashSet<>();
    private @Nullable String vtable;

    private NestedBody(JsonParser parser, JsonGenerator out, BodyErrors errors) {
        this.parser = parser;
        this.out = out;
        this.errors = errors;
    }

    /**
     * @param json the body as it was sent, read once
     * @param v3 where the body of v3 is written, about as long; whole only where the dataset is found
     * @throws UncheckedIOException where it cannot be written
     */
    public static ReadBody translate(InputStream json, OutputStream v3, Catalog catalog) {
        var errors = new BodyErrors();
        Optional<Dataset> dataset = Optional.empty();
        try (JsonParser parser = ClientJson.parser(json);
                JsonGenerator out = JSON.createGenerator(new Sink(v3), JsonEncoding.UTF8)) {
            var body = new NestedBody(parser, out, errors);
            if (body.translated()) {
                dataset = body.dataset(catalog);
            }
        } catch (IOException e) {
            errors.add("body", ClientJson.fault(e));
        }
        return new ReadBody(dataset, errors.sent(NestedBody::path, true));
    }

    /** The path of a field as it was sent. */
    private static String path(String field, @Nullable String inV3) {
        String text = inV3 == null ? field : inV3;
        String name = text.split("[.\\[]", 2)[0];
        String path = PATHS.get(name);
        if (path != null) {
            return path + text.substring(name.length());
        }
        return NO_FIELDS.contains(name) ? text : FILTERS + "." + text;
    }

    private static Map<String, String> paths() {
        Map<String, String> paths = new LinkedHashMap<>();
        Stream.of(RequestFields.REPORT_NAME, RequestFields.MAX_CREDITS, RequestFields.QUOTE, RequestFields.TAGS)
                .forEach(name -> paths.put(name, name));
        Stream.of(
                        RequestFields.DELIVERY_METHOD,
                        RequestFields.RESPONSE_FORMAT,
                        RequestFields.COMPRESSION,
                        RequestFields.CSV_SAFETY,
                        RequestFields.WEBHOOK_URL)
                .forEach(name -> paths.put(name, DELIVERY + "." + name));
        Stream.of(RequestFields.RETENTION_DAYS, RequestFields.NUM_OF_FILES)
                .forEach(name -> paths.put(name, PARAMETERS + "." + name));
        paths.put(RequestFields.SPLIT, QUERY + "." + RequestFields.SPLIT);
        Stream.of(
                        RequestFields.GRANULARITY,
                        RequestFields.FILTERS,
                        RequestFields.METRICS,
                        RequestFields.START_DATE,
                        RequestFields.END_DATE,
                        RequestFields.LATEST,
                        RequestFields.WINDOW_SIZE,
                        RequestFields.ALL_HISTORY)
                .forEach(name -> paths.put(name, TABLE + "." + name));
        Stream.of(RequestFields.LIMIT, RequestFields.OFFSET, RequestFields.SORT, RequestFields.SORT_ASC)
                .forEach(name -> paths.put(name, PAGING + "." + name));
        return Collections.unmodifiableMap(paths);
    }

    /** Returns false, with an error, where the body is not one JSON object. */
    private boolean translated() throws IOException {
        JsonToken first = parser.nextToken();
        if (first != START_OBJECT) {
            errors.add(
                    "body",
                    "must be a JSON object, but " + (first == null ? "is empty" : "is " + ClientJson.words(first)));
            return false;
        }
        out.writeStartObject();
        object("");
        out.writeEndObject();
        if (parser.nextToken() != null) {
            errors.add("body", "must be one JSON object, but something follows it");
            return false;
        }
        return true;
    }

    private Optional<Dataset> dataset(Catalog catalog) {
        String accepted = "; accepted: " + String.join(", ", catalog.names());
        if (!seen.contains(QUERY)) {
            errors.add(QUERY, "is missing; accepted: an object with tables");
        } else if (!seen.contains(TABLES)) {
            errors.add(TABLES, "is missing; accepted: one table");
        } else if (seen.contains(TABLE) && !seen.contains(VTABLE)) {
            errors.add(VTABLE, "is missing" + accepted);
        } else if (vtable != null) {
            String name = vtable;
            Optional<Dataset> dataset = catalog.dataset(name);
            if (dataset.isEmpty()) {
                errors.add(
                        VTABLE,
                        Text.quoted(name) + " is not a dataset here" + NearestName.suggestion(name, catalog.names())
                                + accepted);
            }
            return dataset;
        }
        return Optional.empty();
    }

    /** @param prefix of the paths of its fields */
    private void object(String prefix) throws IOException {
        while (parser.nextToken() != END_OBJECT) {
            String name = parser.currentName();
            String path = prefix + name;
            JsonToken value = parser.nextToken();
            if (!KNOWN.contains(path)) {
                unknown(prefix, name);
                parser.skipChildren();
            } else if (value != VALUE_NULL) {
                field(name, path);
            }
        }
    }

    private void field(String name, String path) throws IOException {
        if (!seen.add(path)) {
            errors.add(path, "is there twice; accepted: once");
            parser.skipChildren();
        } else if (path.equals(PATHS.get(name))) {
            out.writeFieldName(name);
            value(name);
        } else if (path.equals(TABLES)) {
            tables();
        } else if (OBJECTS.contains(path)) {
            if (is(START_OBJECT, path, "an object")) {
                object(path + ".");
            }
        } else if (path.equals(VTABLE)) {
            vtable = is(VALUE_STRING, path, "a string") ? parser.getText() : null;
        } else {
            errors.add(path, "belongs to deliveries that are not offered; accepted: leave it out");
            parser.skipChildren();
        }
    }

    /** Whether the value is of this kind; else skips it with an error. */
    private boolean is(JsonToken kind, String path, String words) throws IOException {
        JsonToken token = parser.currentToken();
        if (token == kind) {
            return true;
        }
        errors.add(path, "must be " + words + ", not " + ClientJson.words(token));
        parser.skipChildren();
        return false;
    }

    private void tables() throws IOException {
        if (!is(START_ARRAY, TABLES, "an array of objects")) {
            return;
        }
        long tables = 0;
        for (JsonToken token = parser.nextToken(); token != END_ARRAY; token = parser.nextToken()) {
            tables++;
            if (tables > 1) {
                parser.skipChildren();
            } else if (is(START_OBJECT, TABLE, "an object")) {
                seen.add(TABLE);
                object(TABLE + ".");
            }
        }
        if (tables != 1) {
            errors.add(
                    TABLES,
                    (tables == 0 ? "names nothing" : "has " + Text.number(tables) + " tables")
                            + "; accepted: one table, since a report has one");
        }
    }

    private void unknown(String prefix, String name) {
        String object = prefix.isEmpty() ? "body" : prefix.substring(0, prefix.length() - 1);
        errors.add(object, () -> {
            List<String> accepted = KNOWN.stream()
                    .filter(path -> path.startsWith(prefix))
                    .map(path -> path.substring(prefix.length()))
                    .filter(field -> !field.contains(".") && !field.contains("["))
                    .toList();
            return Text.quoted(name) + " is not a field here" + NearestName.suggestion(name, accepted) + "; accepted: "
                    + String.join(", ", accepted);
        });
    }

    /** Copies the value that the parser is at, of whatever kind and length. */
    private void value(String field) throws IOException {
        if (field.equals(RequestFields.SORT_ASC) && parser.currentToken() == VALUE_STRING && isFlag(parser.getText())) {
            out.writeBoolean(parser.getText().equalsIgnoreCase("true"));
            return;
        }
        int depth = 0;
        do {
            switch (parser.currentToken()) {
                case START_OBJECT -> {
                    out.writeStartObject();
                    depth++;
                }
                case END_OBJECT -> {
                    out.writeEndObject();
                    depth--;
                }
                case START_ARRAY -> {
                    out.writeStartArray();
                    depth++;
                }
                case END_ARRAY -> {
                    out.writeEndArray();
                    depth--;
                }
                case FIELD_NAME -> out.writeFieldName(parser.currentName());
                case VALUE_STRING ->
                    out.writeString(parser.getTextCharacters(), parser.getTextOffset(), parser.getTextLength());
                case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> out.writeNumber(parser.getText());
                case VALUE_TRUE, VALUE_FALSE -> out.writeBoolean(parser.getBooleanValue());
                case VALUE_NULL -> out.writeNull();
                case NOT_AVAILABLE, VALUE_EMBEDDED_OBJECT ->
                    throw new IllegalStateException("no token of a text: " + parser.currentToken());
            }
        } while (depth > 0 && parser.nextToken() != null);
    }

    /** Some clients of the original send {@code sort_asc} as a text. */
    private static boolean isFlag(String text) {
        return text.equalsIgnoreCase("true") || text.equalsIgnoreCase("false");
    }

    /** Tells failures of writing from those of reading. */
    private static final class Sink extends FilterOutputStream {
        Sink(OutputStream out) {
            super(out);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) {
            try {
                out.write(bytes, offset, length);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public void close() {
            // The caller closes what is written to.
        }
    }
}
