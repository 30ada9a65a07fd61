package millrace.gateway.admin;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
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
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import millrace.catalog.dataset.CapabilityCategory;
import millrace.catalog.text.NearestName;
import millrace.contracts.Json;
import millrace.contracts.accounts.AccountRecord;
import org.jspecify.annotations.Nullable;

/** Reads the fields of a body; everything that is wrong is said at once, and then nothing may be used. */
final class Fields {
    static final long MOST_CREDITS = 1_000_000_000_000_000L;
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
    }

    /** @param json may be empty: an object without fields */
    static Fields of(byte[] json) {
        if (json.length == 0) {
            return new Fields(Json.MAPPER.createObjectNode());
        }
        JsonNode body;
        try {
            body = Json.MAPPER.readTree(json);
        } catch (IOException e) {
            body = Json.MAPPER.missingNode();
        }
        var fields = new Fields(body);
        if (!body.isObject()) {
            fields.errors.add("The body must be a JSON object.");
        }
        return fields;
    }

    /** All that is wrong, also fields that nobody asked for; to be called last. */
    List<String> errors() {
        for (String name : (Iterable<String>) body::fieldNames) {
            if (!asked.contains(name)) {
                List<String> known = asked.stream().sorted().toList();
                errors.add(shown(name) + ": is not a field here" + NearestName.suggestion(name, known) + "; accepted: "
                        + (known.isEmpty() ? "none" : String.join(", ", known)) + ".");
            }
        }
        return errors;
    }

    void wrong(String sentence) {
        errors.add(sentence);
    }

    /** Matching the pattern; {@code ""} where it is wrong. */
    String text(String name, Pattern pattern, String accepted) {
        JsonNode value = field(name);
        if (value.isTextual() && pattern.matcher(value.textValue()).matches()) {
            return value.textValue();
        }
        errors.add(name + ": " + (value.isMissingNode() ? "is required, " : "must be ") + accepted + ".");
        return "";
    }

    @Nullable
    String optionalText(String name, Pattern pattern, String accepted) {
        return field(name).isMissingNode() ? null : text(name, pattern, accepted);
    }

    /** Not half a pair of surrogates, which no text of UTF-8 can hold. */
    private static boolean written(int character) {
        return !Character.isISOControl(character)
                && (character < Character.MIN_SURROGATE || character > Character.MAX_SURROGATE);
    }

    /** For people: 1 to 200 characters, none of them for control. */
    String words(String name) {
        JsonNode value = field(name);
        String text = value.isTextual() ? value.textValue() : "";
        return words(name, text, value.isMissingNode() ? "is required, " : "must be ");
    }

    /** Of a parameter, as of a field. */
    String words(String name, String given) {
        return words(name, given, "must be ");
    }

    private String words(String name, String given, String fault) {
        String text = given.strip();
        if (text.isEmpty() || text.length() > LONGEST_TEXT || !text.codePoints().allMatch(Fields::written)) {
            errors.add(name + ": " + fault + "a text of 1 to " + LONGEST_TEXT + " characters.");
        }
        return text;
    }

    @Nullable
    String optionalWords(String name) {
        return field(name).isMissingNode() ? null : words(name);
    }

    long integer(String name, long least, long most) {
        JsonNode value = field(name);
        if (value.isIntegralNumber()
                && value.canConvertToLong()
                && value.longValue() >= least
                && value.longValue() <= most) {
            return value.longValue();
        }
        errors.add(name + ": " + (value.isMissingNode() ? "is required, " : "must be ") + "a whole number from " + least
                + " to " + most + ".");
        return least;
    }

    @Nullable
    Long optionalInteger(String name, long least, long most) {
        return field(name).isMissingNode() ? null : (Long) integer(name, least, most);
    }

    /** A whole number, or {@code "all"}, which is {@link Long#MAX_VALUE}. */
    long amountOrAll(String name) {
        return field(name).isTextual() && field(name).textValue().equals("all")
                ? Long.MAX_VALUE
                : integer(name, 1, MOST_CREDITS);
    }

    /** {@code 90s}, {@code 30m}, {@code 24h}, {@code 7d}. */
    Duration duration(String name, Duration otherwise, Duration most) {
        JsonNode value = field(name);
        if (value.isMissingNode()) {
            return otherwise;
        }
        Duration duration =
                value.isTextual() && DURATION.matcher(value.textValue()).matches() ? time(value.textValue()) : null;
        if (duration == null || duration.compareTo(most) > 0) {
            errors.add(name + ": must be a time like 0s, 30m, 24h or 7d, at most " + most.toDays() + "d.");
            return otherwise;
        }
        return duration;
    }

    private static Duration time(String text) {
        long number = Long.parseLong(text.substring(0, text.length() - 1));
        return switch (text.charAt(text.length() - 1)) {
            case 's' -> Duration.ofSeconds(number);
            case 'm' -> Duration.ofMinutes(number);
            case 'h' -> Duration.ofHours(number);
            default -> Duration.ofDays(number);
        };
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
            String where = prefix + shown(e.getKey());
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

    private static String shown(String name) {
        String some = name.length() > 80 ? name.substring(0, 80) + "…" : name;
        return some.replaceAll("[^ -~…]", "?");
    }
}
