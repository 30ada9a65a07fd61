package millrace.processor.data.importing;

import millrace.catalog.text.Text;
import millrace.processor.data.importing.CellCheck.ParsedCell;

import java.util.regex.Pattern;

/** Parses a double: digits with a decimal point, also with an exponent. NaN is rejected, since its meaning is unknown. */
final class NumberCheck implements CellCheck {
    private static final Pattern NUMBER = Pattern.compile("[+-]?([0-9]+\\.?[0-9]*|\\.[0-9]+)([eE][+-]?[0-9]{1,6})?");
    /** A comma with exactly three digits after it may separate thousands. */
    private static final Pattern DECIMAL_COMMA = Pattern.compile("[+-]?[0-9]+,([0-9]{1,2}|[0-9]{4,})");

    private static final Pattern NOT_FINITE = Pattern.compile("[+-]?(inf(inity)?|nan)", Pattern.CASE_INSENSITIVE);

    @Override
    public ParsedCell read(String text) {
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
