package millrace.catalog.validation;

import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.format.DateTimeFormatter;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
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
 * <p>A request may leave its end open. It then ends with the last period that both the data and the
 * account's history have.
 *
 * <p>Of {@code 7days} windows only the range is compared with the account's history, since the last
 * day of data is not known here. With other granularities every period must lie within the history
 * as a whole.
 */
final class RequestedDates {
    private static final Pattern DATE = Pattern.compile("(\\d{4})-(\\d{2})(?:-(\\d{2}))?");
    private static final int YEAR = 1;
    private static final int MONTH = 2;
    private static final int DAY = 3;
    private static final DateTimeFormatter YEAR_MONTH = DateTimeFormatter.ofPattern("uuuu-MM", Locale.ROOT);

    /** Days of a window of {@code 7days}, without the first. */
    private static final int REST_OF_WINDOW = 6;

    private final RawRequest raw;
    private final RequestContext context;
    private final RequestProblems problems;

    RequestedDates(RawRequest raw, RequestContext context, RequestProblems problems) {
        this.raw = raw;
        this.context = context;
        this.problems = problems;
    }

    /** @param openEnd where the request does not say the end, else null */
    record Range(Dates dates, CheckedRequest.@Nullable OpenEnd openEnd) {}

    Optional<Range> of(RequestedMetrics metrics) {
        Map<Entitlements.Access, String> grants = context.entitlements().grants(metrics.categories());
        boolean latest = raw.flag(RequestFields.LATEST);
        boolean startAlone =
                context.sent().openEnd() && raw.has(RequestFields.START_DATE) && !raw.has(RequestFields.END_DATE);
        Optional<Range> range = latest || startAlone
                ? toNewest(
                        latest ? RequestFields.LATEST : RequestFields.START_DATE,
                        metrics.granularity(),
                        grants.keySet())
                : between(metrics.granularity()).map(dates -> new Range(dates, null));
        range.ifPresent(r -> grants.forEach((access, categories) -> within(r.dates(), categories, access)));
        return range;
    }

    /** @param field that leaves the end open */
    private Optional<Range> toNewest(
            String field, @Nullable Granularity granularity, Collection<Entitlements.Access> histories) {
        boolean started = raw.has(RequestFields.START_DATE);
        Optional<LocalDate> start = started ? day(RequestFields.START_DATE, granularity) : Optional.empty();
        if (granularity == null || histories.isEmpty() || (started && start.isEmpty())) {
            return Optional.empty();
        }
        Optional<AccessiblePeriods> history = AccessiblePeriods.of(granularity, histories);
        if (history.isEmpty()) {
            problems.error(
                    field,
                    "the history of this account holds no whole " + granularity.word()
                            + " period for these metrics; accepted: another granularity, or other metrics");
            return Optional.empty();
        }
        LocalDate newest = newest(field, granularity, history.get().last());
        if (raw.has(RequestFields.END_DATE)) {
            problems.change(
                    RequestFields.END_DATE,
                    "latest is true, so the report ends with " + shown(granularity, newest) + " instead");
        }
        LocalDate first = start.map(s -> first(granularity, s)).orElseGet(() -> alone(granularity, newest));
        if (first.isAfter(newest)) {
            problems.error(
                    RequestFields.START_DATE,
                    shown(granularity, first) + " is after the newest period; accepted: " + shown(granularity, newest)
                            + " or earlier");
            return Optional.empty();
        }
        var dates = new Dates(granularity, first, newest);
        start.ifPresent(s -> whole(dates, s, newest));
        return Optional.of(new Range(
                dates,
                new CheckedRequest.OpenEnd(start.map(s -> granularity == Granularity.MONTHLY ? first : s)
                        .orElse(null))));
    }

    private LocalDate newest(String field, Granularity granularity, LocalDate ofHistory) {
        Optional<LocalDate> ofData = context.lastPeriods().apply(granularity);
        if (ofData.isEmpty()) {
            problems.change(
                    field,
                    "no " + granularity.word() + " period of the data is known at the moment, so the report ends with"
                            + " the history of this account, " + shown(granularity, ofHistory));
        }
        return ofData.filter(day -> day.isBefore(ofHistory)).orElse(ofHistory);
    }

    /** The first day of a range in which the newest period alone begins. */
    private static LocalDate alone(Granularity granularity, LocalDate newest) {
        return granularity == Granularity.SEVEN_DAYS ? newest.minusDays(REST_OF_WINDOW) : newest;
    }

    private Optional<Dates> between(@Nullable Granularity granularity) {
        Optional<LocalDate> start = day(RequestFields.START_DATE, granularity);
        Optional<LocalDate> end = day(RequestFields.END_DATE, granularity);
        if (start.isEmpty() || end.isEmpty()) {
            return Optional.empty();
        }
        if (end.get().isBefore(granularity == Granularity.MONTHLY ? start.get().withDayOfMonth(1) : start.get())) {
            problems.error(
                    RequestFields.END_DATE,
                    shown(granularity, end.get()) + " is before start_date " + shown(granularity, start.get())
                            + "; accepted: start_date or later");
            return Optional.empty();
        }
        if (granularity == null) {
            return Optional.empty();
        }
        return periods(granularity, start.get(), end.get());
    }

    private Optional<LocalDate> day(String field, @Nullable Granularity granularity) {
        Optional<String> text = raw.text(field);
        if (text.isEmpty()) {
            if (!raw.has(field)) {
                problems.error(field, "is missing" + forms(granularity));
            }
            return Optional.empty();
        }
        boolean monthly = granularity == null || granularity == Granularity.MONTHLY;
        Matcher date = DATE.matcher(text.get());
        String day = date.matches() ? date.group(DAY) : null;
        if (!date.hasMatch() || (day == null && !monthly)) {
            problems.error(field, Text.quoted(text.get()) + " is not a date of this form" + forms(granularity));
            return Optional.empty();
        }
        try {
            return Optional.of(LocalDate.of(
                    Integer.parseInt(date.group(YEAR)),
                    Integer.parseInt(date.group(MONTH)),
                    day == null ? 1 : Integer.parseInt(day)));
        } catch (DateTimeException e) {
            problems.error(field, Text.quoted(text.get()) + " is not in the calendar" + forms(granularity));
            return Optional.empty();
        }
    }

    private static String forms(@Nullable Granularity granularity) {
        return "; accepted: "
                + (granularity == null
                        ? "YYYY-MM-DD, or YYYY-MM where granularity is monthly"
                        : granularity == Granularity.MONTHLY ? "YYYY-MM or YYYY-MM-DD" : "YYYY-MM-DD");
    }

    private Optional<Dates> periods(Granularity granularity, LocalDate start, LocalDate end) {
        LocalDate first = first(granularity, start);
        LocalDate last = Periods.onOrBefore(granularity, end);
        if (last.isBefore(first)) {
            problems.error(
                    RequestFields.END_DATE,
                    "no " + granularity.word() + " period begins from " + start + " to " + end
                            + "; accepted: a range with the first day of a period in it, for example " + first + " to "
                            + first);
            return Optional.empty();
        }
        var dates = new Dates(granularity, first, last);
        whole(dates, start, end);
        return Optional.of(dates);
    }

    /** The first period of a range: a month may have begun before, of weeks only those that begin in the range count. */
    private static LocalDate first(Granularity granularity, LocalDate start) {
        return granularity == Granularity.MONTHLY ? start.withDayOfMonth(1) : Periods.onOrAfter(granularity, start);
    }

    /** Warns where a range of days is not one of whole periods. The first day of the last period may stand for it. */
    private void whole(Dates dates, LocalDate start, LocalDate end) {
        Granularity granularity = dates.granularity();
        boolean begins = start.equals(dates.first());
        boolean ends = end.equals(dates.last())
                || granularity == Granularity.SEVEN_DAYS
                || end.plusDays(1).equals(Periods.next(granularity, dates.last()));
        if (!begins || !ends) {
            problems.change(
                    begins ? RequestFields.END_DATE : RequestFields.START_DATE,
                    start + " to " + end + " is not a range of whole " + granularity.word()
                            + " periods; the report has " + periods(dates));
        }
    }

    private static String periods(Dates dates) {
        String first = shown(dates.granularity(), dates.first());
        String last = shown(dates.granularity(), dates.last());
        boolean one = first.equals(last);
        return (dates.granularity() == Granularity.MONTHLY
                        ? "all of "
                        : one ? "the week that begins on " : "the weeks that begin on ")
                + (one ? first : first + " to " + last);
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
        if (dates.first().isBefore(periods.get().first())) {
            problems.error(
                    RequestFields.START_DATE,
                    period("first", granularity, dates.first()) + " is before the history of this account in "
                            + categories + whole(granularity, periods.get()));
        }
        if (dates.last().isAfter(periods.get().last())) {
            problems.error(
                    RequestFields.END_DATE,
                    period("last", granularity, dates.last()) + " is after the history of this account in " + categories
                            + whole(granularity, periods.get()));
        }
    }

    private static String whole(Granularity granularity, AccessiblePeriods periods) {
        return "; accepted: " + shown(granularity, periods.first()) + " to " + shown(granularity, periods.last());
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
