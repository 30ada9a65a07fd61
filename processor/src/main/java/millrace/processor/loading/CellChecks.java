package millrace.processor.loading;

import java.time.DateTimeException;
import java.time.LocalDate;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import millrace.catalog.EntityField;
import millrace.catalog.EntityRules;
import millrace.catalog.Nearest;
import millrace.catalog.Text;

/** What the cells of each kind of column may be. */
final class CellChecks {
    private static final Pattern COUNTRY = Pattern.compile("[A-Z]{2}");
    private static final Pattern DATE = Pattern.compile("[0-9]{4}-[0-9]{2}(-[0-9]{2})?");
    private static final Pattern INTEGER = Pattern.compile("-?[0-9]{1,19}(\\.0{1,15})?");
    /** Years outside are typing errors. */
    private static final int FIRST_YEAR = 1970;

    private static final int LAST_YEAR = 2199;
    private static final int MONTH_LENGTH = "2026-01".length();

    private CellChecks() {}

    static Cell text(String text) {
        // What a decoder puts in place of bytes that are not UTF-8.
        return text.indexOf('\uFFFD') < 0
                ? new Cell.Value(text)
                : new Cell.Wrong("has bytes that are not UTF-8: " + Text.quoted(text));
    }

    static Cell country(String text) {
        if (COUNTRY.matcher(text).matches()) {
            return new Cell.Value(text);
        }
        String upper = text.strip().toUpperCase(Locale.ROOT);
        return new Cell.Wrong(Text.quoted(text) + " is not a country code of two upper-case letters"
                + (COUNTRY.matcher(upper).matches() ? "; write " + upper : ", for example US"));
    }

    /** Domains and keywords, in the form that requests are brought into. */
    static CellCheck entity(EntityField.Kind kind) {
        return text -> {
            String normal = EntityRules.normal(kind, text);
            Optional<String> problem = EntityRules.problem(kind, normal);
            if (problem.isPresent()) {
                return new Cell.Wrong(Text.quoted(text) + " " + problem.get());
            }
            if (text.indexOf('\uFFFD') >= 0) {
                return text(text);
            }
            return normal.equals(text)
                    ? new Cell.Value(text)
                    : new Cell.Wrong(
                            Text.quoted(text) + " would never be found, since requests are compared in lower case"
                                    + " without blanks around; write " + Text.quoted(normal));
        };
    }

    static CellCheck choice(List<String> values) {
        Set<String> known = Set.copyOf(values);
        return text -> known.contains(text)
                ? new Cell.Value(text)
                : new Cell.Wrong(Text.quoted(text) + " is not known" + Nearest.suggestion(text, values) + "; accepted: "
                        + Text.list(values));
    }

    static Cell bool(String text) {
        return switch (text.toLowerCase(Locale.ROOT)) {
            case "true", "1" -> new Cell.Value(true);
            case "false", "0" -> new Cell.Value(false);
            default -> new Cell.Wrong(Text.quoted(text) + " is neither true nor false");
        };
    }

    /** Whether a date was written as a month, which only monthly periods may be. */
    static boolean isMonth(String date) {
        return date.length() == MONTH_LENGTH;
    }

    static Cell date(String text) {
        if (!DATE.matcher(text).matches()) {
            return new Cell.Wrong(Text.quoted(text) + " is not a date; accepted: YYYY-MM-DD, for monthly also YYYY-MM");
        }
        try {
            LocalDate date = LocalDate.parse(isMonth(text) ? text + "-01" : text);
            return date.getYear() >= FIRST_YEAR && date.getYear() <= LAST_YEAR
                    ? new Cell.Value(date)
                    : new Cell.Wrong(
                            Text.quoted(text) + " is out of range; accepted: " + FIRST_YEAR + " to " + LAST_YEAR);
        } catch (DateTimeException e) {
            return new Cell.Wrong(Text.quoted(text) + " is not in the calendar");
        }
    }

    /** Also with a fraction of zeros, as tools write integers of columns with gaps. */
    static CellCheck integer(long least, long most) {
        return text -> {
            if (!INTEGER.matcher(text).matches()) {
                return new Cell.Wrong(Text.quoted(text) + " is not an integer");
            }
            try {
                int point = text.indexOf('.');
                long value = Long.parseLong(point < 0 ? text : text.substring(0, point));
                return value >= least && value <= most ? new Cell.Value(value) : outOfRange(text, least, most);
            } catch (NumberFormatException e) {
                return outOfRange(text, least, most);
            }
        };
    }

    private static Cell outOfRange(String text, long least, long most) {
        return new Cell.Wrong(
                Text.quoted(text) + " is out of range; accepted: " + Text.number(least) + " to " + Text.number(most));
    }
}
