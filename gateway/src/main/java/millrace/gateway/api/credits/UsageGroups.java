package millrace.gateway.api.credits;

import io.micronaut.http.HttpRequest;
import java.time.LocalDate;
import java.time.YearMonth;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import millrace.gateway.copy.activity.ActivityQueries.Usage;
import millrace.gateway.copy.activity.KeptDays;
import millrace.gateway.copy.activity.UsedCredits;
import millrace.gateway.server.QueryParameters;
import org.jspecify.annotations.Nullable;

/** How usage is grouped: by day or month, by dataset, by both, or not at all. */
record UsageGroups(Set<String> by) {
    private static final String DAY = "day";
    private static final String MONTH = "month";
    private static final String DATASET = "dataset";
    private static final List<String> WORDS = List.of(DAY, MONTH, DATASET);

    /**
     * Used credits of one group.
     *
     * @param dataset absent where it is not grouped by it, or Kafka does not know the reports any more
     */
    record Row(
            @Nullable String day,
            @Nullable String month,
            @Nullable String dataset,
            long credits,
            long reports) {}

    record Answer(LocalDate from, LocalDate to, List<Row> usage, UsedCredits total) {}

    private record Group(@Nullable String time, @Nullable String dataset) {
        /** The newest first. */
        static final Comparator<Group> ORDER = Comparator.comparing(
                        Group::time, Comparator.nullsFirst(Comparator.<String>reverseOrder()))
                .thenComparing(Group::dataset, Comparator.nullsLast(Comparator.naturalOrder()));
    }

    /** Parses {@code group_by}; adds a sentence for each parameter that is wrong. */
    static UsageGroups of(HttpRequest<?> http, List<String> errors) {
        Set<String> words = new LinkedHashSet<>(QueryParameters.words(http, "group_by"));
        if (words.isEmpty()) {
            words.addAll(List.of(DAY, DATASET));
        }
        if (!WORDS.containsAll(words)) {
            errors.add("group_by: must be of " + String.join(", ", WORDS) + ".");
        } else if (words.contains(DAY) && words.contains(MONTH)) {
            errors.add("group_by: must be of day or month, not of both.");
        }
        return new UsageGroups(words);
    }

    Answer answer(DayRange days, List<Usage> found) {
        Map<Group, UsedCredits> groups = new TreeMap<>(Group.ORDER);
        UsedCredits total = UsedCredits.NONE;
        for (Usage usage : found) {
            groups.merge(group(usage), usage.used(), UsedCredits::plus);
            total = total.plus(usage.used());
        }
        List<Row> rows = groups.entrySet().stream()
                .map(e -> row(e.getKey(), e.getValue()))
                .toList();
        return new Answer(days.from(), days.to(), rows, total);
    }

    private Group group(Usage usage) {
        LocalDate day = KeptDays.date(usage.day());
        String time = by.contains(DAY)
                ? day.toString()
                : by.contains(MONTH) ? YearMonth.from(day).toString() : null;
        return new Group(time, by.contains(DATASET) ? usage.dataset() : null);
    }

    private Row row(Group group, UsedCredits used) {
        return new Row(
                by.contains(DAY) ? group.time() : null,
                by.contains(MONTH) ? group.time() : null,
                group.dataset(),
                used.credits(),
                used.reports());
    }
}
