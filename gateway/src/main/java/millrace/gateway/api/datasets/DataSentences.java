package millrace.gateway.api.datasets;

import java.time.LocalDate;
import java.time.YearMonth;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import millrace.catalog.dataset.EntityField;
import millrace.catalog.report.Periods;
import millrace.catalog.text.Text;
import millrace.contracts.requests.DatasetFacts;
import millrace.contracts.requests.Granularity;
import millrace.contracts.requests.ReportQuery.Dates;
import millrace.files.entities.MissingNames;

/** Says what a request asks for and the data do not have. Pure. */
final class DataSentences {
    private DataSentences() {}

    /**
     * What a sentence has of names.
     *
     * @param most names
     * @param length characters of a name; more of it are an ellipsis
     */
    record Names(int most, int length) {
        static final Names OF_ANSWER = new Names(10, 253);
        /** Every gateway has the statuses of 400 days in memory. */
        static final Names OF_STATUS = new Names(3, 40);

        private String of(String domain) {
            return domain.length() <= length ? domain : domain.substring(0, length) + "…";
        }
    }

    /**
     * About entities.
     *
     * @param missing the entities that were looked up, which are the first of {@code all}
     */
    static Optional<String> entities(EntityField entity, MissingNames missing, int all, Names shown) {
        int checked = missing.checked();
        if (missing.count() == 0) {
            return Optional.empty();
        }
        List<String> names = new ArrayList<>();
        for (String name : missing.first()) {
            names.add(entity.kind() == EntityField.Kind.DOMAIN ? shown.of(name) : Text.quoted(name, shown.length()));
        }
        int more = missing.count() - names.size();
        return Optional.of(Text.number(missing.count()) + " of " + (checked < all ? "the first " : "")
                + Text.number(checked) + " " + entity.field() + (missing.count() == 1 ? " is" : " are")
                + " not in the data: " + String.join(", ", names)
                + (more > 0 ? " and " + Text.number(more) + " more" : "") + ".");
    }

    /**
     * About entities that the estimate counts without having been looked up.
     *
     * @param checked the others, which are the first of {@code all}
     */
    static Optional<String> unchecked(EntityField entity, int checked, int all) {
        if (checked == all) {
            return Optional.empty();
        }
        return Optional.of(
                checked == 0
                        ? "Which " + entity.field() + " are in the data is not known at the moment; the estimate counts"
                                + " all of them."
                        : "Only the first " + Text.number(checked) + " of " + Text.number(all) + " " + entity.field()
                                + " could be looked up in time; the estimate counts all others.");
    }

    /**
     * About metrics that the version has no column for.
     *
     * @param absent all such metrics
     */
    static Optional<String> metrics(List<String> requested, List<String> absent, Names shown) {
        List<String> missing = requested.stream().filter(absent::contains).toList();
        if (missing.isEmpty()) {
            return Optional.empty();
        }
        int named = Math.min(shown.most(), missing.size());
        return Optional.of("The data have no figures of " + String.join(", ", missing.subList(0, named))
                + (missing.size() > named ? " and " + Text.number(missing.size() - named) + " more" : "")
                + (missing.size() == 1 ? "; its cells are empty." : "; their cells are empty."));
    }

    /** About periods. Windows of {@code 7days} are missing where a whole one lies outside of the data. */
    static List<String> dates(Dates dates, DatasetFacts facts) {
        Granularity granularity = dates.granularity();
        DatasetFacts.Span data = facts.periods(granularity).orElse(null);
        if (data == null) {
            return List.of("The data have no " + granularity.word() + " periods.");
        }
        List<String> sentences = new ArrayList<>();
        String none = "; no period of the request is in the data.";
        if (!Periods.next(granularity, dates.first()).isAfter(data.first())) {
            sentences.add("The data begin with " + shown(granularity, data.first())
                    + (dates.last().isBefore(data.first()) ? none : "; earlier periods have no rows."));
        }
        if (!Periods.next(granularity, data.last()).isAfter(dates.last())) {
            sentences.add("The data end with " + shown(granularity, data.last())
                    + (dates.first().isAfter(data.last()) ? none : "; later periods have no rows."));
        }
        return sentences;
    }

    private static String shown(Granularity granularity, LocalDate day) {
        return granularity == Granularity.MONTHLY ? YearMonth.from(day).toString() : day.toString();
    }
}
