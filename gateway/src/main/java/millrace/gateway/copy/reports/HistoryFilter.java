package millrace.gateway.copy.reports;

import java.util.Locale;
import java.util.Map;
import millrace.catalog.text.PlainText;
import millrace.contracts.reports.Outcome;
import millrace.contracts.reports.Status;
import org.jspecify.annotations.Nullable;

/**
 * Which reports of a history are wanted.
 *
 * @param status null for all
 * @param outcome null for all
 * @param dataset null for all
 * @param ids how their ids begin; null for all
 * @param name what their names contain, in normal form and lower case; null for all
 * @param tags that they have
 * @param since epoch milliseconds at which they were submitted at the earliest
 */
public record HistoryFilter(
        @Nullable Status status,
        @Nullable Outcome outcome,
        @Nullable String dataset,
        @Nullable IdPrefix ids,
        @Nullable String name,
        Map<String, String> tags,
        long since) {
    public static final HistoryFilter ALL = new HistoryFilter(null, null, null, null);

    /** Of any name, tags and time. */
    public HistoryFilter(
            @Nullable Status status, @Nullable Outcome outcome, @Nullable String dataset, @Nullable IdPrefix ids) {
        this(status, outcome, dataset, ids, null, Map.of(), Long.MIN_VALUE);
    }

    boolean matches(ReportView report) {
        return (status == null || status == report.word())
                && (outcome == null || outcome == report.outcome())
                && (dataset == null || dataset.equals(report.dataset()))
                && (ids == null || ids.begins(report.cursor().reportId()))
                && (name == null
                        || PlainText.normal(report.name())
                                .toLowerCase(Locale.ROOT)
                                .contains(name))
                && report.tags().entrySet().containsAll(tags.entrySet());
    }

    boolean isOver(ReportView report) {
        return report.cursor().submittedAt() < since;
    }

    /** A tag that all of them have, or null. */
    Map.@Nullable Entry<String, String> tag() {
        return tags.isEmpty() ? null : tags.entrySet().iterator().next();
    }

    /** The status that all of them have; null if they may have several. */
    @Nullable
    Status rows() {
        return status == null && outcome != null ? outcome.status() : status;
    }
}
