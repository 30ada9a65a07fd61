package millrace.catalog.validation;

import java.math.BigInteger;
import java.util.Optional;
import millrace.catalog.dataset.Dataset;
import millrace.catalog.dataset.RequestFields;
import millrace.catalog.report.ReportSplit;
import millrace.catalog.text.Text;
import millrace.contracts.requests.ReportQuery;
import millrace.contracts.requests.ReportQuery.Split;
import org.jspecify.annotations.Nullable;

/** Reads how the report is to be cut into files. */
final class RequestedSplit {
    private static final String MAX_ROWS = RequestFields.SPLIT + "." + RequestFields.MAX_ROWS;

    private final RequestProblems problems;
    private final @Nullable BigInteger maxRows;
    private final @Nullable BigInteger files;

    RequestedSplit(RawRequest raw, RequestProblems problems) {
        this.problems = problems;
        this.maxRows = raw.integer(RequestFields.SPLIT).orElse(null);
        this.files = raw.integer(RequestFields.NUM_OF_FILES).orElse(null);
        if (raw.has(RequestFields.SPLIT) && raw.has(RequestFields.NUM_OF_FILES)) {
            problems.error(
                    RequestFields.NUM_OF_FILES,
                    "cannot be sent with " + RequestFields.SPLIT + "; accepted: one of them");
        }
        if (files != null && !isWithin(files, 1, Split.MOST_PARTS)) {
            problems.error(
                    RequestFields.NUM_OF_FILES,
                    files + " is out of range; accepted: an integer from 1 to " + Text.number(Split.MOST_PARTS));
        }
    }

    /** Adds an error if no query could be split like that. For a request whose query cannot be read. */
    void check() {
        check(ReportSplit.LEAST_ROWS);
    }

    /** Returns the query with its parts. One that cannot be split like that is returned as it is, with an error. */
    ReportQuery addTo(ReportQuery query, Dataset dataset) {
        return split(query, dataset).map(query::withSplit).orElse(query);
    }

    private Optional<Split> split(ReportQuery query, Dataset dataset) {
        if (maxRows != null) {
            return check(ReportSplit.least(dataset, query))
                    ? Optional.of(ReportSplit.of(dataset, query, maxRows.longValue()))
                    : Optional.empty();
        }
        return Optional.ofNullable(files).map(n -> ReportSplit.ofFiles(dataset, query, n.intValue()));
    }

    private boolean check(long least) {
        if (maxRows == null || isWithin(maxRows, least, Math.max(least, ReportSplit.MOST_ROWS))) {
            return true;
        }
        String why = least == ReportSplit.LEAST_ROWS
                ? ""
                : ", since the rows of a name stay together and a report has at most " + Text.number(Split.MOST_PARTS)
                        + " files";
        boolean small = maxRows.compareTo(BigInteger.valueOf(least)) < 0;
        problems.error(
                MAX_ROWS,
                maxRows
                        + (small
                                ? " is too small; accepted: at least " + Text.number(least) + why
                                : " is out of range; accepted: at most " + Text.number(ReportSplit.MOST_ROWS)));
        return false;
    }

    private static boolean isWithin(BigInteger value, long least, long most) {
        return value.compareTo(BigInteger.valueOf(least)) >= 0 && value.compareTo(BigInteger.valueOf(most)) <= 0;
    }
}
