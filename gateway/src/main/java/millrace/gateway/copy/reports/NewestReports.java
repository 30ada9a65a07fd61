package millrace.gateway.copy.reports;

import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.PriorityQueue;

/** The newest reports of many accounts. It looks at a bounded number of reports, and holds those that are wanted. */
public final class NewestReports {
    /** Of all accounts together. Some tenths of a second. */
    private static final int MOST_LOOKED_AT = 100_000;

    private final HistoryFilter filter;
    private final int most;
    /** The oldest of them is its head. */
    private final PriorityQueue<ReportView> found = new PriorityQueue<>(
            Comparator.comparing(ReportView::cursor, HistoryCursor.NEWEST_FIRST).reversed());

    private int left = MOST_LOOKED_AT;

    NewestReports(HistoryFilter filter, int most) {
        this.filter = filter;
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
            if (filter.isOver(report) || isOlderThanAll(report)) {
                return true;
            }
            if (filter.matches(report)) {
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
