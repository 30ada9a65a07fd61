package millrace.processor.data.importing;

import millrace.catalog.dataset.EntityField;
import millrace.catalog.dataset.EntityRules;
import millrace.catalog.text.NearestName;
import millrace.catalog.text.Text;
import millrace.processor.data.importing.CellCheck.ParsedCell;

import java.time.DateTimeException;
import java.time.LocalDate;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** The checks for the cells of each kind of column. */
final class CellChecks {
    private static final Pattern COUNTRY = Pattern.compile("[A-Z]{2}");
    private static final Pattern DATE = Pattern.compile("[0-9]{4}-[0-9]{2}(-[0-9]{2})?");
    private static final Pattern INTEGER = Pattern.compile("-?[0-9]{1,19}(\\.0{1,15})?");
    private static final Pattern NUMBER = Pattern.compile("[+-]?([0-9]+\\.?[0-9]*|\\.[0-9]+)([eE][+-]?[0-9]{1,6})?");
    /** A comma with exactly three digits after it may separate thousands. */
    private static final Pattern DECIMAL_COMMA = Pattern.compile("[+-]?[0-9]+,([0-9]{1,2}|[0-9]{4,})");

    private static final Pattern NOT_FINITE = Pattern.compile("[+-]?(inf(inity)?|nan)", Pattern.CASE_INSENSITIVE);
    /** Years outside this range are taken for typing errors. */
    private static final int FIRST_YEAR = 1970;

    private static final int LAST_YEAR = 2199;
    private static final int MONTH_LENGTH = "2026-01".length();

    private CellChecks() {}

    static ParsedCell text(String text) {
        // A decoder replaces bytes that are not UTF-8 by this character.
        return text.indexOf('\uFFFD') < 0
                ? new ParsedCell.Value(text)
                : new ParsedCell.Wrong("has bytes that are not UTF-8: " + Text.quoted(text));
    }

    static ParsedCell country(String text) {
        if (COUNTRY.matcher(text).matches()) {
            return new ParsedCell.Value(text);
        }
        String upper = text.strip().toUpperCase(Locale.ROOT);
        return new ParsedCell.Wrong(Text.quoted(text) + " is not a country code of two upper-case letters"
                + (COUNTRY.matcher(upper).matches() ? "; write " + upper : ", for example US"));
    }

    /** Domains and keywords, in the normalized form of requests. */
    static CellCheck entity(EntityField.Kind kind) {
        return text -> {
            String normal = EntityRules.normal(kind, text);
            Optional<String> problem = EntityRules.problem(kind, normal);
            if (problem.isPresent()) {
                return new ParsedCell.Wrong(Text.quoted(text) + " " + problem.get());
            }
            return normal.equals(text)
                    ? new ParsedCell.Value(text)
                    : new ParsedCell.Wrong(
                            Text.quoted(text) + " would never be found, since requests are compared in lower case"
                                    + (text.chars().allMatch(c -> c < 128)
                                            ? " without blanks around"
                                            : ", in Unicode's normal form C, without blanks around and with spaces"
                                                    + " for the blanks inside")
                                    + "; write " + Text.quoted(normal));
        };
    }

    static CellCheck choice(List<String> values) {
        Set<String> known = Set.copyOf(values);
        return text -> known.contains(text)
                ? new ParsedCell.Value(text)
                : new ParsedCell.Wrong(Text.quoted(text) + " is not known" + NearestName.suggestion(text, values)
                        + "; accepted: " + Text.list(values));
    }

    static ParsedCell bool(String text) {
        return switch (text.toLowerCase(Locale.ROOT)) {
            case "true", "1" -> new ParsedCell.Value(true);
            case "false", "0" -> new ParsedCell.Value(false);
            default -> new ParsedCell.Wrong(Text.quoted(text) + " is neither true nor false");
        };
    }

    /** Whether a date is written as a month, which only monthly rows may be. */
    static boolean isMonth(String date) {
        return date.length() == MONTH_LENGTH;
    }

    static ParsedCell date(String text) {
        if (!DATE.matcher(text).matches()) {
            return new ParsedCell.Wrong(
                    Text.quoted(text) + " is not a date; accepted: YYYY-MM-DD, for monthly also YYYY-MM");
        }
        try {
            LocalDate date = LocalDate.parse(isMonth(text) ? text + "-01" : text);
            return date.getYear() >= FIRST_YEAR && date.getYear() <= LAST_YEAR
                    ? new ParsedCell.Value(date)
                    : new ParsedCell.Wrong(
                            Text.quoted(text) + " is out of range; accepted: " + FIRST_YEAR + " to " + LAST_YEAR);
        } catch (DateTimeException e) {
            return new ParsedCell.Wrong(Text.quoted(text) + " is not in the calendar");
        }
    }

    /** Integers, also with a fraction of zeros, as tools write integer columns that have absent cells. */
    static CellCheck integer(long least, long most) {
        return text -> {
            if (!INTEGER.matcher(text).matches()) {
                return new ParsedCell.Wrong(Text.quoted(text) + " is not an integer");
            }
            try {
                int point = text.indexOf('.');
                long value = Long.parseLong(point < 0 ? text : text.substring(0, point));
                return value >= least && value <= most ? new ParsedCell.Value(value) : outOfRange(text, least, most);
            } catch (NumberFormatException e) {
                return outOfRange(text, least, most);
            }
        };
    }

    private static ParsedCell outOfRange(String text, long least, long most) {
        return new ParsedCell.Wrong(
                Text.quoted(text) + " is out of range; accepted: " + Text.number(least) + " to " + Text.number(most));
    }

    /** A double: digits with a decimal point, also with an exponent. NaN is rejected, since its meaning is unknown. */
    static ParsedCell number(String text) {
        if (!plain(text) && !NUMBER.matcher(text).matches()) {
            return new ParsedCell.Wrong(Text.quoted(text) + notANumber(text));
        }
        double value = Double.parseDouble(text);
        if (Double.isInfinite(value)) {
            return new ParsedCell.Wrong(Text.quoted(text) + " is out of range; accepted: up to " + Double.MAX_VALUE);
        }
        return new ParsedCell.Value(value);
    }

    private static String notANumber(String text) {
        if (NOT_FINITE.matcher(text).matches()) {
            return " is not finite; leave the cell empty where there is no figure";
        }
        return " is not a number"
                + (DECIMAL_COMMA.matcher(text).matches()
                        ? "; write " + text.replace(',', '.')
                        : ", for example 1234.5");
    }

    /** Digits with at most one point, the usual case. */
    private static boolean plain(String text) {
        int points = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '.') {
                points++;
            } else if (c < '0' || c > '9') {
                return false;
            }
        }
        return points <= 1 && text.length() > points;
    }
}
