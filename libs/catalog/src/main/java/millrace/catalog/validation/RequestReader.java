package millrace.catalog.validation;

import static com.fasterxml.jackson.core.JsonToken.END_ARRAY;
import static com.fasterxml.jackson.core.JsonToken.END_OBJECT;
import static com.fasterxml.jackson.core.JsonToken.START_ARRAY;
import static com.fasterxml.jackson.core.JsonToken.START_OBJECT;
import static com.fasterxml.jackson.core.JsonToken.VALUE_NULL;
import static com.fasterxml.jackson.core.JsonToken.VALUE_NUMBER_INT;
import static com.fasterxml.jackson.core.JsonToken.VALUE_STRING;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.io.InputStream;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import millrace.catalog.dataset.Dataset;
import millrace.catalog.dataset.EntityField;
import millrace.catalog.dataset.EntityRules;
import millrace.catalog.dataset.RequestField;
import millrace.catalog.dataset.RequestFields;
import millrace.catalog.text.ClientJson;
import millrace.catalog.text.NearestName;
import millrace.catalog.text.SortedTextSet;
import millrace.catalog.text.Text;
import millrace.catalog.validation.RawRequest.Found;
import millrace.catalog.validation.RawRequest.Value;
import org.jspecify.annotations.Nullable;

/**
 * Reads a body token by token, so that memory grows with what is kept and not with what is sent: it
 * drops duplicates and cuts arrays at their limit while it reads them, and skips unknown fields.
 */
final class RequestReader {
    private static final String BODY = "body";

    private final String dataset;
    private final RequestFields fields;
    private final EntityField entity;
    private final RequestLimits limits;
    private final RequestProblems problems;
    private final RawRequest request = new RawRequest();

    private RequestReader(Dataset dataset, RequestFields fields, RequestLimits limits, RequestProblems problems) {
        this.dataset = dataset.name();
        this.fields = fields;
        this.entity = dataset.entity();
        this.limits = limits;
        this.problems = problems;
    }

    /** Returns what can be read. Empty, with an error, where the body is not one JSON object. */
    static Optional<RawRequest> read(
            Dataset dataset, RequestFields fields, InputStream json, RequestLimits limits, RequestProblems problems) {
        try (JsonParser parser = ClientJson.parser(json)) {
            var reader = new RequestReader(dataset, fields, limits, problems);
            return reader.body(parser) ? Optional.of(reader.request) : Optional.empty();
        } catch (IOException e) {
            problems.error(BODY, ClientJson.fault(e));
            return Optional.empty();
        }
    }

    private boolean body(JsonParser parser) throws IOException {
        JsonToken first = parser.nextToken();
        if (first != START_OBJECT) {
            problems.error(
                    BODY,
                    "must be a JSON object, but " + (first == null ? "is empty" : "is " + ClientJson.words(first)));
            return false;
        }
        fieldsOf(parser, "");
        if (parser.nextToken() != null) {
            problems.error(BODY, "must be one JSON object, but something follows it");
            return false;
        }
        return true;
    }

    /** @param prefix empty at the top level, {@code filters.} inside filters */
    private void fieldsOf(JsonParser parser, String prefix) throws IOException {
        Set<String> seen = new HashSet<>();
        while (parser.nextToken() != END_OBJECT) {
            String name = parser.currentName();
            parser.nextToken();
            RequestField field = fields.named(name);
            if (prefix.isEmpty() && name.equals(RequestFields.FILTERS)) {
                once(seen, name, name);
                filters(parser);
            } else if (field == null) {
                unknown(prefix, name);
                parser.skipChildren();
            } else if (!prefix.isEmpty() && !field.inFilters()) {
                request.present(field);
                problems.error(prefix + name, "belongs beside filters, not inside them");
                parser.skipChildren();
            } else {
                once(seen, name, prefix + name);
                known(parser, field, prefix + name);
            }
        }
    }

    private void once(Set<String> seen, String name, String path) {
        if (!seen.add(name)) {
            problems.error(path, "is there twice; accepted: once");
        }
    }

    private void filters(JsonParser parser) throws IOException {
        if (parser.currentToken() == START_OBJECT) {
            fieldsOf(parser, RequestFields.FILTERS + ".");
        } else if (parser.currentToken() != VALUE_NULL) {
            problems.error(
                    RequestFields.FILTERS,
                    "must be an object, not " + ClientJson.words(parser.currentToken()) + "; accepted in it: "
                            + Text.list(fields.spellings(true)));
            parser.skipChildren();
        }
    }

    private void unknown(String prefix, String name) {
        problems.error(prefix.isEmpty() ? BODY : RequestFields.FILTERS, () -> {
            var known = fields.spellings(!prefix.isEmpty());
            return Text.quoted(name) + " is not a field of " + dataset + NearestName.suggestion(name, known)
                    + "; accepted: " + Text.list(known);
        });
    }

    /** A field that is null is as if it were not there. */
    private void known(JsonParser parser, RequestField field, String path) throws IOException {
        if (parser.currentToken() == VALUE_NULL) {
            return;
        }
        request.present(field);
        problems.sent(field.name(), path);
        Value value = value(parser, field, path);
        if (value == null) {
            parser.skipChildren();
            return;
        }
        Found before = request.put(field, new Found(path, value));
        if (before != null && !before.spelling().equals(path) && !before.value().equals(value)) {
            problems.error(path, "says something else than " + before.spelling() + "; accepted: one of them");
        }
    }

    /** Returns null, and adds an error, where the value has another type. */
    private @Nullable Value value(JsonParser parser, RequestField field, String path) throws IOException {
        JsonToken token = parser.currentToken();
        return switch (field.kind()) {
            case TEXT -> token == VALUE_STRING ? new RawRequest.Words(parser.getText()) : wrong(parser, field, path);
            case FLAG -> token.isBoolean() ? new RawRequest.Flag(parser.getBooleanValue()) : wrong(parser, field, path);
            case INTEGER ->
                token == VALUE_NUMBER_INT
                        ? new RawRequest.Whole(parser.getBigIntegerValue())
                        : wrong(parser, field, path);
            case TAGS -> token == START_OBJECT ? named(parser, path) : wrong(parser, field, path);
            case SPLIT -> token == START_OBJECT ? split(parser, path) : wrong(parser, field, path);
            case TEXTS -> token == START_ARRAY ? items(parser, field, path) : wrong(parser, field, path);
            case DOMAINS, KEYWORDS, INTEGERS ->
                token == START_ARRAY ? many(parser, field, path) : wrong(parser, field, path);
        };
    }

    private RawRequest.Many many(JsonParser parser, RequestField field, String path) throws IOException {
        var texts = new SortedTextSet(field.name().equals(entity.field()) ? limits.maxEntities() : limits.maxValues());
        var wrong = new LinkedHashSet<String>();
        long given = 0;
        long moreWrong = 0;
        int index = 0;
        for (; parser.nextToken() != END_ARRAY; index++) {
            if (addNormal(parser, field, texts)) {
                given++;
                continue;
            }
            String item = item(parser, field, path, index);
            if (item == null) {
                parser.skipChildren();
                continue;
            }
            given++;
            if (RequestedValues.problem(field.kind(), item).isEmpty()) {
                texts.add(item);
            } else if (wrong.size() < RequestProblems.SHOWN) {
                wrong.add(item);
            } else if (!wrong.contains(item)) {
                moreWrong++;
            }
        }
        return new RawRequest.Many(field.kind(), texts, wrong, moreWrong, given, index == 0);
    }

    /**
     * Adds an entity that is in its normal form, without making a String of it. Returns false where
     * the value needs more checks.
     */
    private static boolean addNormal(JsonParser parser, RequestField field, SortedTextSet texts) throws IOException {
        if (field.kind() == RequestField.Kind.INTEGERS || parser.currentToken() != VALUE_STRING) {
            return false;
        }
        EntityField.Kind kind =
                field.kind() == RequestField.Kind.DOMAINS ? EntityField.Kind.DOMAIN : EntityField.Kind.KEYWORD;
        char[] chars = parser.getTextCharacters();
        boolean normal = EntityRules.isNormal(kind, chars, parser.getTextOffset(), parser.getTextLength());
        if (normal) {
            texts.addAscii(chars, parser.getTextOffset(), parser.getTextLength());
        }
        return normal;
    }

    private RawRequest.Items items(JsonParser parser, RequestField field, String path) throws IOException {
        var values = new LinkedHashSet<String>();
        long given = 0;
        boolean cut = false;
        int index = 0;
        for (; parser.nextToken() != END_ARRAY; index++) {
            String item = item(parser, field, path, index);
            if (item == null) {
                parser.skipChildren();
                continue;
            }
            given++;
            if (values.size() < RequestLimits.MOST_NAMES) {
                values.add(item);
            } else if (!values.contains(item)) {
                cut = true;
            }
        }
        return new RawRequest.Items(values, given, index == 0, cut);
    }

    private RawRequest.Named named(JsonParser parser, String path) throws IOException {
        var texts = new TreeMap<String, String>();
        Set<String> seen = new HashSet<>();
        int number = 0;
        for (; parser.nextToken() != END_OBJECT; number++) {
            String name = parser.currentName();
            JsonToken token = parser.nextToken();
            if (number > RequestLimits.MOST_TAGS) {
                parser.skipChildren();
                continue;
            }
            once(seen, name, path + "." + RequestedTags.shown(name));
            if (token == VALUE_STRING) {
                texts.put(name, parser.getText());
            } else {
                problems.error(
                        path + "." + RequestedTags.shown(name), "must be a string, not " + ClientJson.words(token));
                parser.skipChildren();
            }
        }
        return new RawRequest.Named(texts, number);
    }

    /** The number of max_rows. Null, with an error, if it is missing or of another type. */
    private RawRequest.@Nullable Whole split(JsonParser parser, String path) throws IOException {
        String place = path + "." + RequestFields.MAX_ROWS;
        RawRequest.Whole rows = null;
        Set<String> seen = new HashSet<>();
        while (parser.nextToken() != END_OBJECT) {
            String name = parser.currentName();
            JsonToken token = parser.nextToken();
            if (!name.equals(RequestFields.MAX_ROWS)) {
                problems.error(path, Text.quoted(name) + " is not a field of it; accepted: " + RequestFields.MAX_ROWS);
                parser.skipChildren();
                continue;
            }
            once(seen, name, place);
            if (token == VALUE_NUMBER_INT) {
                rows = new RawRequest.Whole(parser.getBigIntegerValue());
            } else {
                problems.error(place, "must be an integer, not " + ClientJson.words(token));
                parser.skipChildren();
            }
        }
        if (seen.isEmpty()) {
            problems.error(place, "is missing; accepted: the most rows of a file");
        }
        return rows;
    }

    private @Nullable String item(JsonParser parser, RequestField field, String path, int index) throws IOException {
        JsonToken token = parser.currentToken();
        JsonToken expected = field.kind() == RequestField.Kind.INTEGERS ? VALUE_NUMBER_INT : VALUE_STRING;
        if (token != expected) {
            problems.error(
                    path + "[" + index + "]",
                    () -> "must be " + ClientJson.words(expected) + ", not " + ClientJson.words(token));
            return null;
        }
        return switch (field.kind()) {
            case INTEGERS, INTEGER ->
                parser.getNumberType() == JsonParser.NumberType.BIG_INTEGER
                        ? parser.getBigIntegerValue().toString()
                        : Long.toString(parser.getLongValue());
            case DOMAINS -> EntityRules.normal(EntityField.Kind.DOMAIN, parser.getText());
            case KEYWORDS -> EntityRules.normal(EntityField.Kind.KEYWORD, parser.getText());
            case TEXTS, TEXT, TAGS, SPLIT, FLAG -> parser.getText();
        };
    }

    private @Nullable Value wrong(JsonParser parser, RequestField field, String path) {
        problems.error(path, "must be " + field.kind().words() + ", not " + ClientJson.words(parser.currentToken()));
        return null;
    }
}
