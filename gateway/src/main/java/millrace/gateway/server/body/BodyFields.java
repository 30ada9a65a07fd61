package millrace.gateway.server.body;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import millrace.catalog.validation.WebhookUrl;
import millrace.contracts.Json;
import millrace.gateway.server.QueryParameters;
import org.jspecify.annotations.Nullable;

/** The fields of a JSON object. Everything that is wrong is said at once, and then nothing may be used. */
public class BodyFields {
    private static final int LONGEST_TEXT = 200;
    private static final Pattern DURATION = Pattern.compile("[0-9]{1,4}[smhd]");

    private final JsonNode body;
    private final List<String> errors = new ArrayList<>();
    private final Set<String> asked = new HashSet<>();

    protected BodyFields(JsonNode body) {
        this.body = body;
        if (!body.isObject()) {
            errors.add("The body must be a JSON object.");
        }
    }

    /** The fields of a body; one that is empty is an object without fields. */
    public static BodyFields of(byte[] json) {
        return new BodyFields(parsed(json));
    }

    protected static JsonNode parsed(byte[] json) {
        try {
            return json.length == 0 ? Json.MAPPER.createObjectNode() : Json.MAPPER.readTree(json);
        } catch (IOException e) {
            return Json.MAPPER.missingNode();
        }
    }

    /** All that is wrong, also fields that nobody asked for; to be called last. */
    public List<String> errors() {
        List<String> known = asked.stream().sorted().toList();
        body.fieldNames().forEachRemaining(name -> {
            if (!asked.contains(name)) {
                errors.add(QueryParameters.unknown(name, "field", known));
            }
        });
        return errors;
    }

    /** Matching the pattern; {@code ""} where it is wrong. */
    public String text(String name, Pattern pattern, String accepted) {
        JsonNode value = field(name);
        if (value.isTextual() && pattern.matcher(value.textValue()).matches()) {
            return value.textValue();
        }
        return wrong(name, value, accepted, "");
    }

    /** Null if the field is missing or null. */
    public <T> @Nullable T optional(String name, Function<String, T> read) {
        return field(name).isMissingNode() ? null : read.apply(name);
    }

    /** Whether the field is there and null. */
    public boolean isNull(String name) {
        asked.add(name);
        return body.path(name).isNull();
    }

    /** For people: 1 to 200 characters, none of them for control. */
    public String words(String name) {
        return words(name, field(name));
    }

    /** Of a parameter, as of a field. */
    public String words(String name, String given) {
        return words(name, TextNode.valueOf(given));
    }

    private String words(String name, JsonNode value) {
        String text = value.isTextual() ? value.textValue().strip() : "";
        return text.isEmpty()
                        || text.codePointCount(0, text.length()) > LONGEST_TEXT
                        || !text.codePoints().allMatch(BodyFields::written)
                ? wrong(name, value, "a text of 1 to " + LONGEST_TEXT + " characters", text)
                : text;
    }

    /** Not half a pair of surrogates, which no text of UTF-8 can hold. */
    private static boolean written(int character) {
        return !Character.isISOControl(character)
                && (character < Character.MIN_SURROGATE || character > Character.MAX_SURROGATE);
    }

    public long integer(String name, long least, long most) {
        JsonNode value = field(name);
        boolean right = value.isIntegralNumber()
                && value.canConvertToLong()
                && value.longValue() >= least
                && value.longValue() <= most;
        return right ? value.longValue() : wrong(name, value, "a whole number from " + least + " to " + most, least);
    }

    /** {@code 90s}, {@code 30m}, {@code 24h}, {@code 7d}. */
    public Duration duration(String name, Duration otherwise, Duration most) {
        JsonNode value = field(name);
        if (value.isMissingNode()) {
            return otherwise;
        }
        String text = value.asText();
        Duration duration =
                DURATION.matcher(text).matches() ? Duration.parse((text.endsWith("d") ? "P" : "PT") + text) : null;
        if (duration == null || duration.compareTo(most) > 0) {
            errors.add(name + ": must be a time like 0s, 30m, 24h or 7d, at most " + most.toDays() + "d.");
            return otherwise;
        }
        return duration;
    }

    /** A time after this one, to the millisecond, as Kafka has it. */
    public Instant timeAfter(String name, Instant now) {
        JsonNode value = field(name);
        Optional<Instant> given = value.isTextual() ? QueryParameters.time(value.textValue(), now) : Optional.empty();
        return given.map(time -> time.truncatedTo(ChronoUnit.MILLIS))
                .filter(time -> time.isAfter(now))
                .orElseGet(() -> wrong(
                        name,
                        value,
                        given.isEmpty() && !value.isMissingNode()
                                ? "a time with its zone, like 2027-01-31T00:00:00Z"
                                : "a time in the future, like 2027-01-31T00:00:00Z",
                        now));
    }

    /** Some of these words, each once; empty where it is wrong. */
    public Set<String> wordsOf(String name, List<String> accepted) {
        JsonNode value = field(name);
        Set<String> words = new LinkedHashSet<>();
        value.forEach(word -> words.add(word.isTextual() ? word.textValue() : ""));
        return value.isArray() && !words.isEmpty() && words.size() == value.size() && accepted.containsAll(words)
                ? words
                : wrong(name, value, "an array of some of " + String.join(", ", accepted) + ", each once", Set.of());
    }

    /** A webhook URL; one without a scheme is taken as https. */
    public String webhookUrl(String name) {
        JsonNode value = field(name);
        if (!value.isTextual()) {
            return wrong(name, value, "an absolute URL", "");
        }
        String url = WebhookUrl.withScheme(value.textValue());
        WebhookUrl.fault(url).ifPresent(fault -> error(name + ": " + fault + "."));
        return url;
    }

    private <T> T wrong(String name, JsonNode value, String accepted, T otherwise) {
        error(name + ": " + (value.isMissingNode() ? "is required, " : "must be ") + accepted + ".");
        return otherwise;
    }

    /** Says that something else is wrong. */
    public void error(String sentence) {
        errors.add(sentence);
    }

    /** Missing also if it is null. */
    protected JsonNode field(String name) {
        asked.add(name);
        JsonNode value = body.path(name);
        return value.isNull() ? MissingNode.getInstance() : value;
    }

    protected JsonNode body() {
        return body;
    }
}
