package millrace.gateway.admin;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.time.LocalDate;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import millrace.catalog.dataset.CapabilityCategory;
import millrace.catalog.text.NearestName;
import millrace.contracts.Json;
import millrace.contracts.accounts.AccountRecord;
import millrace.gateway.http.JsonResponses;
import millrace.gateway.http.QueryParameters;
import org.jspecify.annotations.Nullable;

/** The fields of a body. Everything that is wrong is said at once, and then nothing may be used. */
final class Fields {
    static final long MOST_CREDITS = 1_000_000_000_000_000L;
    private static final int LARGEST_BODY = 1 << 16;
    private static final int LONGEST_TEXT = 200;
    private static final Pattern COUNTRY = Pattern.compile("[A-Z]{2}");
    private static final Pattern DURATION = Pattern.compile("[0-9]{1,4}[smhd]");
    private static final List<String> CATEGORIES = Arrays.stream(CapabilityCategory.values())
            .map(CapabilityCategory::word)
            .toList();

    private final JsonNode body;
    private final List<String> errors = new ArrayList<>();
    private final Set<String> asked = new HashSet<>();

    private Fields(JsonNode body) {
        this.body = body;
        if (!body.isObject()) {
            errors.add("The body must be a JSON object.");
        }
    }

    /** Reads a body to its end and gives its fields to {@code then}; one that is empty is an object without fields. Blocks. */
    static HttpResponse<byte[]> read(@Nullable InputStream body, Function<Fields, HttpResponse<byte[]>> then) {
        byte[] json;
        try (body) {
            json = body == null ? new byte[0] : body.readNBytes(LARGEST_BODY + 1);
        } catch (IOException e) {
            return last(HttpStatus.BAD_REQUEST, "The body is framed wrongly or ends too early; nothing was changed.");
        }
        return json.length > LARGEST_BODY
                ? last(
                        HttpStatus.REQUEST_ENTITY_TOO_LARGE,
                        "The body must not be larger than " + LARGEST_BODY + " bytes.")
                : then.apply(new Fields(parsed(json)));
    }

    /** The rest of the body is not read. */
    private static HttpResponse<byte[]> last(HttpStatus status, String fault) {
        return JsonResponses.problem(status, fault).header("Connection", "close");
    }

    private static JsonNode parsed(byte[] json) {
        try {
            return json.length == 0 ? Json.MAPPER.createObjectNode() : Json.MAPPER.readTree(json);
        } catch (IOException e) {
            return Json.MAPPER.missingNode();
        }
    }

    /** All that is wrong, also fields that nobody asked for; to be called last. */
    List<String> errors() {
        List<String> known = asked.stream().sorted().toList();
        body.fieldNames().forEachRemaining(name -> {
            if (!asked.contains(name)) {
                errors.add(QueryParameters.unknown(name, "field", known));
            }
        });
        return errors;
    }

    /** Matching the pattern; {@code ""} where it is wrong. */
    String text(String name, Pattern pattern, String accepted) {
        JsonNode value = field(name);
        if (value.isTextual() && pattern.matcher(value.textValue()).matches()) {
            return value.textValue();
        }
        return wrong(name, value, accepted, "");
    }

    /** Null where the field is missing. */
    <T> @Nullable T optional(String name, Function<String, T> read) {
        return field(name).isMissingNode() ? null : read.apply(name);
    }

    /** For people: 1 to 200 characters, none of them for control. */
    String words(String name) {
        return words(name, field(name));
    }

    /** Of a parameter, as of a field. */
    String words(String name, String given) {
        return words(name, TextNode.valueOf(given));
    }

    private String words(String name, JsonNode value) {
        String text = value.isTextual() ? value.textValue().strip() : "";
        return text.isEmpty()
                        || text.length() > LONGEST_TEXT
                        || !text.codePoints().allMatch(Fields::written)
                ? wrong(name, value, "a text of 1 to " + LONGEST_TEXT + " characters", text)
                : text;
    }

    /** Not half a pair of surrogates, which no text of UTF-8 can hold. */
    private static boolean written(int character) {
        return !Character.isISOControl(character)
                && (character < Character.MIN_SURROGATE || character > Character.MAX_SURROGATE);
    }

    long integer(String name, long least, long most) {
        JsonNode value = field(name);
        boolean right = value.isIntegralNumber()
                && value.canConvertToLong()
                && value.longValue() >= least
                && value.longValue() <= most;
        return right ? value.longValue() : wrong(name, value, "a whole number from " + least + " to " + most, least);
    }

    private <T> T wrong(String name, JsonNode value, String accepted, T otherwise) {
        errors.add(name + ": " + (value.isMissingNode() ? "is required, " : "must be ") + accepted + ".");
        return otherwise;
    }

    /** A whole number, or {@code "all"}, which is {@link Long#MAX_VALUE}. */
    long amountOrAll(String name) {
        return field(name).asText().equals("all") ? Long.MAX_VALUE : integer(name, 1, MOST_CREDITS);
    }

    /** {@code 90s}, {@code 30m}, {@code 24h}, {@code 7d}. */
    Duration duration(String name, Duration otherwise, Duration most) {
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

    /** All fields of the body: categories. */
    Map<String, AccountRecord.Entitlement> entitlements() {
        return entitlements(body, "");
    }

    /** Of one field; empty where it is missing. */
    Map<String, AccountRecord.Entitlement> entitlements(String name) {
        JsonNode value = field(name);
        return value.isMissingNode() ? Map.of() : entitlements(value, name + ".");
    }

    private Map<String, AccountRecord.Entitlement> entitlements(JsonNode node, String prefix) {
        Map<String, AccountRecord.Entitlement> found = new LinkedHashMap<>();
        if (!node.isObject()) {
            errors.add(prefix + " must be an object of categories.");
            return found;
        }
        for (Map.Entry<String, JsonNode> e : node.properties()) {
            if (prefix.isEmpty()) {
                asked.add(e.getKey());
            }
            String where = prefix + QueryParameters.shown(e.getKey());
            if (!CATEGORIES.contains(e.getKey())) {
                errors.add(where + ": is not a category" + NearestName.suggestion(e.getKey(), CATEGORIES)
                        + "; accepted: " + String.join(", ", CATEGORIES) + ".");
            } else {
                entitlement(e.getValue(), where, e.getKey(), found);
            }
        }
        return found;
    }

    private void entitlement(
            JsonNode node, String where, String category, Map<String, AccountRecord.Entitlement> found) {
        List<String> countries = new ArrayList<>();
        node.path("countries").forEach(c -> countries.add(c.asText()));
        Set<String> names = new HashSet<>();
        node.fieldNames().forEachRemaining(names::add);
        LocalDate start = day(node.path("start_date"));
        LocalDate end = day(node.path("end_date"));
        if (!names.equals(Set.of("countries", "start_date", "end_date")) || start == null || end == null) {
            errors.add(where + ": must be an object of countries, start_date and end_date, the dates as YYYY-MM-DD.");
        } else if (end.isBefore(start)) {
            errors.add(where + ": end_date must not be before start_date.");
        } else if (countries.isEmpty()
                || !countries.stream().allMatch(c -> COUNTRY.matcher(c).matches())) {
            errors.add(where + ".countries: must be an array of codes of two upper-case letters.");
        } else {
            found.put(
                    category,
                    new AccountRecord.Entitlement(
                            countries.stream().distinct().collect(Collectors.toList()), start, end));
        }
    }

    private static @Nullable LocalDate day(JsonNode value) {
        try {
            return value.isTextual() ? LocalDate.parse(value.textValue()) : null;
        } catch (DateTimeParseException e) {
            return null;
        }
    }

    private JsonNode field(String name) {
        asked.add(name);
        return body.path(name);
    }
}
