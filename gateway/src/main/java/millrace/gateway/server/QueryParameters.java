package millrace.gateway.server;

import io.micronaut.core.annotation.AnnotationMetadata;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.web.router.RouteAttributes;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import millrace.catalog.text.NearestName;
import millrace.gateway.problems.ProblemCode;
import org.jspecify.annotations.Nullable;

/** Parses query parameters, so that error sentences are the API's own. */
public final class QueryParameters {
    private QueryParameters() {}

    private static final int SHOWN = 80;
    private static final int LAST_YEAR = 9999;
    private static final Pattern DAY = Pattern.compile("[0-9]{4}-[0-9]{2}-[0-9]{2}");
    private static final Pattern REPORT_ID = Pattern.compile("[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}");

    /** The response to a request with a parameter that its route does not take, or not several times; else empty. */
    public static Optional<MutableHttpResponse<byte[]>> refusal(HttpRequest<?> http) {
        if (http.getUri().getRawQuery() == null) {
            return Optional.empty();
        }
        return RouteAttributes.getRouteMatch(http)
                .map(route -> faults(http, route.getAnnotationMetadata()))
                .filter(errors -> !errors.isEmpty())
                .map(errors -> JsonResponses.problem(ProblemCode.INVALID_REQUEST, errors));
    }

    private static List<String> faults(HttpRequest<?> http, AnnotationMetadata route) {
        List<String> known = new ArrayList<>(List.of(route.stringValues(TakesParameters.class)));
        List<String> lists = List.of(route.stringValues(TakesParameters.class, TakesParameters.LISTS));
        known.addAll(lists);
        List<String> errors = new ArrayList<>();
        for (Map.Entry<String, List<String>> given : http.getParameters()) {
            String name = given.getKey();
            if (!known.contains(name)) {
                errors.add(unknown(name, "parameter", known));
            } else if (given.getValue().size() > 1 && !lists.contains(name)) {
                errors.add(name + ": is there " + given.getValue().size() + " times; it must be there once.");
            }
        }
        return errors;
    }

    /** The words of a parameter that is a list; empty where it is missing. */
    public static List<String> words(HttpRequest<?> http, String name) {
        return http.getParameters().getAll(name).stream()
                .flatMap(text -> Stream.of(text.split(",", -1)))
                .toList();
    }

    /** The sentence for an unknown name; suggests a similar one. */
    public static String unknown(String name, String kind, Collection<String> known) {
        return shown(name) + ": is not a " + kind + " here" + NearestName.suggestion(name, known) + "; accepted: "
                + (known.isEmpty() ? "none" : String.join(", ", known)) + ".";
    }

    /** A client's text as an error sentence repeats it: shortened, in ASCII. */
    public static String shown(String text) {
        String some = text.length() > SHOWN ? text.substring(0, SHOWN) + "…" : text;
        return some.replaceAll("[^ -~…]", "?");
    }

    /**
     * Parses a time of RFC 3339 with a year of four digits; empty where the text is none.
     *
     * @param otherwise the result where the parameter is missing
     */
    public static Optional<Instant> time(@Nullable String text, Instant otherwise) {
        if (text == null) {
            return Optional.of(otherwise);
        }
        try {
            // A plus sign that was not escaped arrives as a space.
            var time = OffsetDateTime.parse(text.replace(' ', '+'));
            return time.getYear() < 0 || time.getYear() > LAST_YEAR ? Optional.empty() : Optional.of(time.toInstant());
        } catch (DateTimeParseException e) {
            return Optional.empty();
        }
    }

    /** Parses a day, which means its beginning, or a time. Adds a sentence where the text is neither. */
    public static Optional<Instant> beginning(HttpRequest<?> http, String name, List<String> errors) {
        return dayOrTime(http, name, 0, errors);
    }

    /** Parses a day, which means its end, or a time. Adds a sentence where the text is neither. */
    public static Optional<Instant> end(HttpRequest<?> http, String name, List<String> errors) {
        return dayOrTime(http, name, 1, errors);
    }

    private static Optional<Instant> dayOrTime(HttpRequest<?> http, String name, int dayEnd, List<String> errors) {
        return parsed(
                http,
                name,
                text -> day(text)
                        .map(day -> day.plusDays(dayEnd)
                                .atStartOfDay(ZoneOffset.UTC)
                                .toInstant())
                        .or(() -> time(text, Instant.EPOCH)),
                "must be a day like 2026-11-02 or a time like 2026-11-02T08:15:30Z.",
                errors);
    }

    /** Parses a day like 2026-11-02; empty where the text is none. */
    public static Optional<LocalDate> day(String text) {
        try {
            return DAY.matcher(text).matches() ? Optional.of(LocalDate.parse(text)) : Optional.empty();
        } catch (DateTimeParseException e) {
            return Optional.empty();
        }
    }

    /**
     * Parses a whole number. Adds a sentence if it is none, or is out of bounds.
     *
     * @param otherwise the result then, and if the parameter is missing
     */
    public static int integer(
            HttpRequest<?> http, String name, int least, int most, int otherwise, List<String> errors) {
        String wanted = "must be a whole number from " + least + " to " + most + ".";
        return parsed(http, name, text -> integer(text, least, most), wanted, errors)
                .orElse(otherwise);
    }

    private static Optional<Integer> integer(String text, int least, int most) {
        return Optional.of(text)
                .filter(digits -> digits.matches("[0-9]{1,10}"))
                .map(Long::valueOf)
                .filter(number -> number >= least && number <= most)
                .map(Long::intValue);
    }

    /** Where a page begins; empty for the first one. Adds a sentence where {@code parse} finds no place in the text. */
    public static <T> Optional<T> cursor(
            HttpRequest<?> http, Function<String, Optional<T>> parse, List<String> errors) {
        return parsed(http, "cursor", parse, "must be the next_cursor of an earlier page.", errors);
    }

    /**
     * Parses a parameter; empty if it is missing. Adds a sentence if {@code parse} finds nothing in the text.
     *
     * @param wanted what it must be, as the end of a sentence
     */
    public static <T> Optional<T> parsed(
            HttpRequest<?> http, String name, Function<String, Optional<T>> parse, String wanted, List<String> errors) {
        String text = http.getParameters().get(name);
        Optional<T> found = Optional.ofNullable(text).flatMap(parse);
        if (text != null && found.isEmpty()) {
            errors.add(name + ": " + wanted);
        }
        return found;
    }

    /** Empty where the text is not the id of a report. */
    public static Optional<UUID> reportId(String text) {
        return REPORT_ID.matcher(text).matches() ? Optional.of(UUID.fromString(text)) : Optional.empty();
    }
}
