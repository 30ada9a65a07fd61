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
import java.util.regex.Pattern;
import millrace.gateway.copy.activity.ActivityQueries;
import millrace.gateway.copy.activity.ActivityQueries.Usage;
import millrace.gateway.copy.activity.KeptDays;
import millrace.gateway.copy.activity.UsedCredits;
import millrace.gateway.problems.ProblemCode;
import millrace.gateway.server.QueryParameters;
import millrace.gateway.server.RefusedException;
import org.jspecify.annotations.Nullable;

/**
 * How usage is grouped: by day or month, by dataset, by a tag, or not at all.
 *
 * @param tag the tag's name, or null
 */
record UsageGroups(Set<String> by, @Nullable String tag) {
    /** Rows of an answer, each 0.3 KB while they are summed. */
    static final int MOST_ROWS = 10_000;

    private static final String DAY = "day";
    private static final String MONTH = "month";
    private static final String DATASET = "dataset";
    private static final String TAG = "tag:";
    private static final Pattern WORD = Pattern.compile("day|month|dataset|tag:[a-z0-9_.-]{1,40}");

    /**
     * Used credits of one group.
     *
     * @param dataset absent where it is not grouped by it, or Kafka does not know the reports any more
     * @param tags the tag that it is grouped by and its value; absent for reports without it
     */
    record Row(
            @Nullable String day,
            @Nullable String month,
            @Nullable String dataset,
            @Nullable Map<String, String> tags,
            long credits,
            long reports) {}

    record Answer(LocalDate from, LocalDate to, List<Row> usage, UsedCredits total) {}

    private record Group(
            @Nullable String time,
            @Nullable String dataset,
            @Nullable String value) {
        /** The newest first. */
        static final Comparator<Group> ORDER = Comparator.comparing(
                        Group::time, Comparator.nullsFirst(Comparator.<String>reverseOrder()))
                .thenComparing(Group::dataset, Comparator.nullsLast(Comparator.naturalOrder()))
                .thenComparing(Group::value, Comparator.nullsLast(Comparator.naturalOrder()));
    }

    /** Parses {@code group_by}; adds a sentence for each parameter that is wrong. */
    static UsageGroups of(HttpRequest<?> http, List<String> errors) {
        Set<String> words = new LinkedHashSet<>(QueryParameters.words(http, "group_by"));
        if (words.isEmpty()) {
            words.addAll(List.of(DAY, DATASET));
        }
        List<String> tags = words.stream()
                .filter(word -> word.startsWith(TAG))
                .map(word -> word.substring(TAG.length()))
                .toList();
        if (!words.stream().allMatch(word -> WORD.matcher(word).matches())) {
            errors.add("group_by: must be of day, month, dataset, and tag: with the name of a tag, like tag:team.");
        } else if (words.contains(DAY) && words.contains(MONTH)) {
            errors.add("group_by: must be of day or month, not of both.");
        } else if (tags.size() > 1) {
            errors.add("group_by: must be of one tag, not of several.");
        }
        return new UsageGroups(words, tags.isEmpty() ? null : tags.getFirst());
    }

    /** @throws RefusedException if there are more rows than an answer may have */
    Answer answer(DayRange days, ActivityQueries store, String account) {
        Map<Group, UsedCredits> groups = new TreeMap<>(Group.ORDER);
        UsedCredits total = UsedCredits.NONE;
        for (Usage usage : store.usage(account, days.firstDay(), days.lastDay())) {
            groups.merge(group(usage.day(), usage.dataset()), usage.used(), UsedCredits::plus);
            total = total.plus(usage.used());
        }
        if (tag != null) {
            Map<Group, UsedCredits> tagged = new TreeMap<>(Group.ORDER);
            store.tagUsage(account, tag, days.firstDay(), days.lastDay(), usage -> {
                Group all = group(usage.day(), usage.dataset());
                tagged.merge(new Group(all.time(), all.dataset(), usage.value()), usage.used(), UsedCredits::plus);
                groups.computeIfPresent(all, (group, used) -> used.minus(usage.used()));
                checkRows(tagged.size());
            });
            groups.values().removeIf(UsedCredits.NONE::equals);
            groups.putAll(tagged);
        }
        checkRows(groups.size());
        List<Row> rows = groups.entrySet().stream()
                .map(e -> row(e.getKey(), e.getValue()))
                .toList();
        return new Answer(days.from(), days.to(), rows, total);
    }

    private static void checkRows(int rows) {
        if (rows > MOST_ROWS) {
            throw new RefusedException(
                    ProblemCode.INVALID_REQUEST,
                    "group_by: makes more than " + MOST_ROWS
                            + " rows; ask for fewer days with from and to, or group by month, or by less.");
        }
    }

    /** Without a value of the tag. */
    private Group group(int epochDay, @Nullable String dataset) {
        LocalDate day = KeptDays.date(epochDay);
        String time = by.contains(DAY)
                ? day.toString()
                : by.contains(MONTH) ? YearMonth.from(day).toString() : null;
        return new Group(time, by.contains(DATASET) ? dataset : null, null);
    }

    private Row row(Group group, UsedCredits used) {
        return new Row(
                by.contains(DAY) ? group.time() : null,
                by.contains(MONTH) ? group.time() : null,
                group.dataset(),
                tag == null || group.value() == null ? null : Map.of(tag, group.value()),
                used.credits(),
                used.reports());
    }
}
