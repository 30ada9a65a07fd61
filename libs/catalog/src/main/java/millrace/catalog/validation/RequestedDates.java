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
import millrace.catalog.validation.CheckedRequest.OpenEnd;
import millrace.contracts.requests.Granularity;
import millrace.contracts.requests.ReportQuery.Dates;
import org.jspecify.annotations.Nullable;

/**
 * Reads the dates of a request. Checks them as far as possible where the granularity is unknown.
 *
 * <p>A request may leave its end open. It then ends with the last period that both the data and the
 * account's history have. Its beginning may be a window before the end, or that of the account's history.
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

    /** @param openEnd if the request does not name its periods by dates alone, else null */
    record Range(Dates dates, @Nullable OpenEnd openEnd) {}

    Optional<Range> of(RequestedMetrics metrics) {
        Map<Entitlements.Access, String> grants = context.entitlements().grants(metrics.categories());
        Optional<Range> range = range(metrics.granularity(), grants.keySet());
        range.ifPresent(r -> grants.forEach((access, categories) -> within(r.dates(), categories, access)));
        return range;
    }

    private Optional<Range> range(@Nullable Granularity granularity, Collection<Entitlements.Access> histories) {
        boolean latest = raw.flag(RequestFields.LATEST);
        if (raw.has(RequestFields.WINDOW_SIZE) || raw.flag(RequestFields.ALL_HISTORY)) {
            return counted(granularity, histories, !latest && raw.has(RequestFields.END_DATE));
        }
        boolean startAlone =
                context.sent().openEnd() && raw.has(RequestFields.START_DATE) && !raw.has(RequestFields.END_DATE);
        return latest || startAlone
                ? toNewest(latest ? RequestFields.LATEST : RequestFields.START_DATE, granularity, histories)
                : between(granularity).map(dates -> new Range(dates, null));
    }

    /**
     * The periods of a window, or of all history, up to the last one.
     *
     * @param ended whether the request names the last one, which is else the newest
     */
    private Optional<Range> counted(
            @Nullable Granularity granularity, Collection<Entitlements.Access> histories, boolean ended) {
        boolean all = raw.flag(RequestFields.ALL_HISTORY);
        String field = all ? RequestFields.ALL_HISTORY : RequestFields.WINDOW_SIZE;
        List<String> others = List.of(RequestFields.START_DATE, RequestFields.WINDOW_SIZE);
        others.stream()
                .filter(other -> raw.has(other) && !other.equals(field))
                .forEach(other -> problems.error(
                        other, "says where the report begins, as " + field + " does; accepted: one of the two"));
        Optional<Window> window = raw.text(RequestFields.WINDOW_SIZE).flatMap(this::window);
        Optional<LocalDate> end = ended ? day(RequestFields.END_DATE, granularity) : Optional.empty();
        if (granularity == null
                || histories.isEmpty()
                || raw.has(RequestFields.START_DATE)
                || all == window.isPresent()
                || ended != end.isPresent()) {
            return Optional.empty();
        }
        Optional<AccessiblePeriods> history = history(field, granularity, histories);
        Optional<LocalDate> last = ended
                ? end.map(day -> Periods.onOrBefore(granularity, day))
                : history.map(periods -> newest(field, granularity, periods.last()));
        if (history.isEmpty() || last.isEmpty()) {
            return Optional.empty();
        }
        Optional<LocalDate> first =
                all ? history.map(AccessiblePeriods::first) : window.flatMap(w -> w.first(granularity, last.get()));
        if (first.isEmpty()) {
            problems.error(
                    field,
                    "holds no whole " + granularity.word() + " period; accepted: for example "
                            + Window.example(granularity));
            return Optional.empty();
        }
        if (first.get().isAfter(last.get())) {
            problems.error(
                    ended ? RequestFields.END_DATE : field,
                    shown(granularity, last.get()) + " is before the history of this account; accepted: "
                            + shown(granularity, first.get()) + " or later");
            return Optional.empty();
        }
        String asked = all ? OpenEnd.ALL : raw.text(field).orElseThrow();
        return Optional.of(new Range(
                new Dates(granularity, first.get(), last.get()),
                all || !ended ? new OpenEnd(null, asked, end.orElse(null)) : null));
    }

    private Optional<Window> window(String text) {
        Optional<Window> window = Window.parse(text);
        if (window.isEmpty()) {
            problems.error(
                    RequestFields.WINDOW_SIZE,
                    Text.quoted(text) + " is not a window of this form; accepted: " + Window.FORMS);
        }
        return window;
    }

    /** Empty, with an error, if it holds no whole period. */
    private Optional<AccessiblePeriods> history(
            String field, Granularity granularity, Collection<Entitlements.Access> histories) {
        Optional<AccessiblePeriods> history = AccessiblePeriods.of(granularity, histories);
        if (history.isEmpty()) {
            problems.error(
                    field,
                    "the history of this account holds no whole " + granularity.word()
                            + " period for these metrics; accepted: another granularity, or other metrics");
        }
        return history;
    }

    /** @param field that leaves the end open */
    private Optional<Range> toNewest(
            String field, @Nullable Granularity granularity, Collection<Entitlements.Access> histories) {
        boolean started = raw.has(RequestFields.START_DATE);
        Optional<LocalDate> start = started ? day(RequestFields.START_DATE, granularity) : Optional.empty();
        if (granularity == null || histories.isEmpty() || (started && start.isEmpty())) {
            return Optional.empty();
        }
        Optional<AccessiblePeriods> history = history(field, granularity, histories);
        if (history.isEmpty()) {
            return Optional.empty();
        }
        LocalDate newest = newest(field, granularity, history.get().last());
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
                OpenEnd.from(start.map(s -> granularity == Granularity.MONTHLY ? first : s)
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
        LocalDate newest = ofData.filter(day -> day.isBefore(ofHistory)).orElse(ofHistory);
        if (raw.has(RequestFields.END_DATE)) {
            problems.change(
                    RequestFields.END_DATE,
                    "latest is true, so the report ends with " + shown(granularity, newest) + " instead");
        }
        return newest;
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
                    raw.has(RequestFields.WINDOW_SIZE) ? RequestFields.WINDOW_SIZE : RequestFields.START_DATE,
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
