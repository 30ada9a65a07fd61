package millrace.catalog.validation;

import java.time.LocalDate;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import millrace.catalog.report.Periods;
import millrace.contracts.requests.Granularity;

/** A length of time that ends with a report's last period, for example three months. */
record Window(int count, ChronoUnit unit) {
    static final String FORMS = "a number from 1 to 9999 and d, w, m or y, for example 28d, 12w, 3m or 1y";

    private static final Pattern FORM = Pattern.compile("([1-9][0-9]{0,3})[dwmy]");
    private static final int WEEK = 7;

    /** Empty if the text is not of {@link #FORMS}. */
    static Optional<Window> parse(String text) {
        Matcher form = FORM.matcher(text);
        return form.matches()
                ? Optional.of(new Window(Integer.parseInt(form.group(1)), unit(text.charAt(text.length() - 1))))
                : Optional.empty();
    }

    private static ChronoUnit unit(char letter) {
        return switch (letter) {
            case 'd' -> ChronoUnit.DAYS;
            case 'w' -> ChronoUnit.WEEKS;
            case 'm' -> ChronoUnit.MONTHS;
            default -> ChronoUnit.YEARS;
        };
    }

    /**
     * The first period of the window; empty if it holds no whole one.
     *
     * @param last first day of the last period; of {@code 7days}, the last day on which a period may begin
     */
    Optional<LocalDate> first(Granularity granularity, LocalDate last) {
        boolean sevenDays = granularity == Granularity.SEVEN_DAYS;
        LocalDate end = sevenDays ? last.plusDays(1) : Periods.next(granularity, last);
        LocalDate begin = end.minus(count, unit);
        boolean tooShort = sevenDays
                ? begin.isAfter(end.minusDays(WEEK))
                : granularity == Granularity.MONTHLY
                        && !unit.equals(ChronoUnit.MONTHS)
                        && !unit.equals(ChronoUnit.YEARS);
        LocalDate first = Periods.onOrAfter(granularity, begin);
        return tooShort || first.isAfter(last) ? Optional.empty() : Optional.of(first);
    }

    /** A window that holds whole periods. */
    static String example(Granularity granularity) {
        return switch (granularity) {
            case DAILY -> "28d";
            case WEEKLY, SEVEN_DAYS -> "12w";
            case MONTHLY -> "3m";
        };
    }
}
