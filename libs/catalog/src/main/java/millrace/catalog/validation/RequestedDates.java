package millrace.catalog.validation;

import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.YearMonth;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import millrace.catalog.access.AccessiblePeriods;
import millrace.catalog.access.Entitlements;
import millrace.catalog.dataset.RequestFields;
import millrace.catalog.report.Periods;
import millrace.catalog.text.Text;
import millrace.contracts.requests.Granularity;
import millrace.contracts.requests.ReportQuery.Dates;
import org.jspecify.annotations.Nullable;

/**
 * Reads the dates of a request. Checks them as far as possible where the granularity is unknown.
 *
 * <p>Of {@code 7days} windows only the range is compared with the account's history, since the last
 * day of data is not known here. With other granularities every period must lie within the history
 * as a whole.
 */
final class RequestedDates {
    private static final Pattern MONTH = Pattern.compile("\\d{4}-\\d{2}");
    private static final Pattern DAY = Pattern.compile("\\d{4}-\\d{2}-\\d{2}");
    private static final DateTimeFormatter YEAR_MONTH = DateTimeFormatter.ofPattern("uuuu-MM");

    private final RawRequest raw;
    private final RequestProblems problems;

    RequestedDates(RawRequest raw, RequestProblems problems) {
        this.raw = raw;
        this.problems = problems;
    }

    Optional<Dates> of(RequestedMetrics metrics, Entitlements entitlements) {
        Granularity granularity = metrics.granularity();
        Optional<LocalDate> start = day(RequestFields.START_DATE, granularity);
        Optional<LocalDate> end = day(RequestFields.END_DATE, granularity);
        if (start.isEmpty() || end.isEmpty()) {
            return Optional.empty();
        }
        if (end.get().isBefore(start.get())) {
            problems.error(
                    RequestFields.END_DATE,
                    shown(granularity, end.get()) + " is before start_date " + shown(granularity, start.get())
                            + "; accepted: start_date or later");
            return Optional.empty();
        }
        if (granularity == null) {
            return Optional.empty();
        }
        Optional<Dates> dates = periods(granularity, start.get(), end.get());
        dates.ifPresent(d -> entitlements
                .grants(metrics.categories())
                .forEach((access, categories) -> within(d, categories, access)));
        return dates;
    }

    private Optional<LocalDate> day(String field, @Nullable Granularity granularity) {
        String accepted = "; accepted: "
                + (granularity == null
                        ? "YYYY-MM-DD, or YYYY-MM where granularity is monthly"
                        : granularity == Granularity.MONTHLY ? "YYYY-MM or YYYY-MM-DD" : "YYYY-MM-DD");
        Optional<String> text = raw.text(field);
        if (text.isEmpty()) {
            if (!raw.has(field)) {
                problems.error(field, "is missing" + accepted);
            }
            return Optional.empty();
        }
        boolean monthly = granularity == null || granularity == Granularity.MONTHLY;
        try {
            if (monthly && MONTH.matcher(text.get()).matches()) {
                return Optional.of(YearMonth.parse(text.get()).atDay(1));
            }
            if (DAY.matcher(text.get()).matches()) {
                LocalDate day = LocalDate.parse(text.get());
                return Optional.of(granularity == Granularity.MONTHLY ? day.withDayOfMonth(1) : day);
            }
            problems.error(field, Text.quoted(text.get()) + " is not a date of this form" + accepted);
        } catch (DateTimeException e) {
            problems.error(field, Text.quoted(text.get()) + " is not in the calendar" + accepted);
        }
        return Optional.empty();
    }

    private Optional<Dates> periods(Granularity granularity, LocalDate start, LocalDate end) {
        LocalDate first = Periods.onOrAfter(granularity, start);
        LocalDate last = Periods.onOrBefore(granularity, end);
        if (last.isBefore(first)) {
            problems.error(
                    RequestFields.END_DATE,
                    "no " + granularity.word() + " period begins from " + start + " to " + end
                            + "; accepted: a range with the first day of a period in it, for example " + first + " to "
                            + first);
            return Optional.empty();
        }
        return Optional.of(new Dates(granularity, first, last));
    }

    private void within(Dates dates, String categories, Entitlements.Access access) {
        Granularity granularity = dates.granularity();
        Optional<AccessiblePeriods> periods = AccessiblePeriods.of(granularity, List.of(access));
        if (periods.isEmpty()) {
            problems.error(
                    RequestFields.START_DATE,
                    "the history of this account in " + categories + ", " + access.first() + " to "
                            + access.last() + ", holds no whole " + granularity.word()
                            + " period; accepted: another granularity");
            return;
        }
        String accepted = "; accepted: " + shown(granularity, periods.get().first()) + " to "
                + shown(granularity, periods.get().last());
        if (dates.first().isBefore(periods.get().first())) {
            problems.error(
                    RequestFields.START_DATE,
                    period("first", granularity, dates.first()) + " is before the history of this account in "
                            + categories + accepted);
        }
        if (dates.last().isAfter(periods.get().last())) {
            problems.error(
                    RequestFields.END_DATE,
                    period("last", granularity, dates.last()) + " is after the history of this account in " + categories
                            + accepted);
        }
    }

    /** For {@code 7days} the windows are not known, so the sentence names the day. */
    private static String period(String which, Granularity granularity, LocalDate first) {
        String shown = shown(granularity, first);
        return granularity == Granularity.SEVEN_DAYS
                ? shown
                : "the " + which + " " + granularity.word() + " period, " + shown + ",";
    }

    private static String shown(@Nullable Granularity granularity, LocalDate day) {
        return granularity == Granularity.MONTHLY ? YEAR_MONTH.format(day) : day.toString();
    }
}
