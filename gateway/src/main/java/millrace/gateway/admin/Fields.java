package millrace.gateway.admin;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.InputStream;
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
import millrace.contracts.accounts.AccountRecord;
import millrace.gateway.problems.ProblemCode;
import millrace.gateway.server.JsonResponses;
import millrace.gateway.server.QueryParameters;
import millrace.gateway.server.RefusedException;
import millrace.gateway.server.body.BodyFields;
import org.jspecify.annotations.Nullable;

/** The fields of a body of the admin API. */
final class Fields extends BodyFields {
    static final long MOST_CREDITS = 1_000_000_000_000_000L;
    private static final int LARGEST_BODY = 1 << 16;
    private static final Pattern COUNTRY = Pattern.compile("[A-Z]{2}");
    private static final List<String> CATEGORIES = Arrays.stream(CapabilityCategory.values())
            .map(CapabilityCategory::word)
            .toList();

    private Fields(JsonNode body) {
        super(body);
    }

    /**
     * Reads a body to its end; one that is empty is an object without fields. Blocks.
     *
     * @throws RefusedException if it cannot be read, or is too large
     */
    static Fields read(@Nullable InputStream body) {
        byte[] json;
        try (body) {
            json = body == null ? new byte[0] : body.readNBytes(LARGEST_BODY + 1);
        } catch (IOException e) {
            throw last(
                    ProblemCode.MALFORMED_MESSAGE,
                    "The body is framed wrongly or ends too early; nothing was changed.");
        }
        if (json.length > LARGEST_BODY) {
            throw last(ProblemCode.BODY_TOO_LARGE, "The body must not be larger than " + LARGEST_BODY + " bytes.");
        }
        return new Fields(parsed(json));
    }

    /** The rest of the body is not read. */
    private static RefusedException last(ProblemCode code, String fault) {
        return new RefusedException(JsonResponses.problem(code, fault).header("Connection", "close"));
    }

    /** A whole number, or {@code "all"}, which is {@link Long#MAX_VALUE}. */
    long amountOrAll(String name) {
        return field(name).asText().equals("all") ? Long.MAX_VALUE : integer(name, 1, MOST_CREDITS);
    }

    /** All fields of the body: categories. */
    Map<String, AccountRecord.Entitlement> entitlements() {
        return entitlements(body(), "");
    }

    /** Of one field; empty where it is missing. */
    Map<String, AccountRecord.Entitlement> entitlements(String name) {
        JsonNode value = field(name);
        return value.isMissingNode() ? Map.of() : entitlements(value, name + ".");
    }

    private Map<String, AccountRecord.Entitlement> entitlements(JsonNode node, String prefix) {
        Map<String, AccountRecord.Entitlement> found = new LinkedHashMap<>();
        if (!node.isObject()) {
            error(prefix + " must be an object of categories.");
            return found;
        }
        for (Map.Entry<String, JsonNode> e : node.properties()) {
            if (prefix.isEmpty()) {
                var unused = field(e.getKey());
            }
            String where = prefix + QueryParameters.shown(e.getKey());
            if (!CATEGORIES.contains(e.getKey())) {
                error(where + ": is not a category" + NearestName.suggestion(e.getKey(), CATEGORIES) + "; accepted: "
                        + String.join(", ", CATEGORIES) + ".");
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
        boolean list = node.path("countries").isArray();
        Set<String> names = new HashSet<>();
        node.fieldNames().forEachRemaining(names::add);
        LocalDate start = day(node.path("start_date"));
        LocalDate end = day(node.path("end_date"));
        if (!names.equals(Set.of("countries", "start_date", "end_date")) || start == null || end == null) {
            error(where + ": must be an object of countries, start_date and end_date, the dates as YYYY-MM-DD.");
        } else if (end.isBefore(start)) {
            error(where + ": end_date must not be before start_date.");
        } else if (!list
                || countries.isEmpty()
                || !countries.stream().allMatch(c -> COUNTRY.matcher(c).matches())) {
            error(where + ".countries: must be an array of codes of two upper-case letters.");
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
}
