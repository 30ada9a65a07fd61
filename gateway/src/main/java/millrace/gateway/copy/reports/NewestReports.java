package millrace.gateway.copy.reports;

import java.time.Instant;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.function.Predicate;

/** The newest reports of many accounts. It looks at a bounded number of reports, and holds those that are wanted. */
public final class NewestReports {
    /** Of all accounts together. Some tenths of a second. */
    private static final int MOST_LOOKED_AT = 100_000;

    private final Predicate<ReportView> filter;
    private final long since;
    private final int most;
    /** The oldest of them is its head. */
    private final PriorityQueue<ReportView> found = new PriorityQueue<>(
            Comparator.comparing(ReportView::cursor, HistoryCursor.NEWEST_FIRST).reversed());

    private int left = MOST_LOOKED_AT;

    NewestReports(Predicate<ReportView> filter, Instant since, int most) {
        this.filter = filter;
        this.since = since.toEpochMilli();
        this.most = most;
    }

    /**
     * Takes what is among the newest.
     *
     * @param reports of one account, newest first
     * @return false if there were too many to look at all of them
     */
    boolean add(Iterator<ReportView> reports) {
        while (reports.hasNext()) {
            if (left == 0) {
                return false;
            }
            left--;
            ReportView report = reports.next();
            if (report.cursor().submittedAt() < since || isOlderThanAll(report)) {
                return true;
            }
            if (filter.test(report)) {
                found.add(report);
                if (found.size() > most) {
                    found.remove();
                }
            }
        }
        return true;
    }

    private boolean isOlderThanAll(ReportView report) {
        ReportView oldest = found.peek();
        return oldest != null
                && found.size() == most
                && HistoryCursor.NEWEST_FIRST.compare(report.cursor(), oldest.cursor()) > 0;
    }

    /** Newest first. */
    public List<ReportView> found() {
        return found.stream()
                .sorted(Comparator.comparing(ReportView::cursor, HistoryCursor.NEWEST_FIRST))
                .toList();
    }

    /** False if there were too many to look at all of them. */
    public boolean whole() {
        return left > 0;
    }
}
