package millrace.catalog.validation;

import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import millrace.catalog.text.SortedTextSet;
import millrace.contracts.accounts.Quote;
import millrace.contracts.requests.ReportQuery;
import millrace.contracts.requests.ReportRequest;
import org.jspecify.annotations.Nullable;

/** The result of checking a request body. Errors and warnings are sentences for people. */
public sealed interface CheckedRequest {
    List<String> warnings();

    /**
     * @param quote the estimate of the request, which counts all entities; may be above its {@code max_credits}, since
     *     it is not known here which entities are in the data
     * @param warnings about dropped duplicates, about estimates by a maximum, and {@code changes}
     * @param changes how the report differs from what the body says; at most three sentences, which
     *     belong to the report's status, too
     * @param entities content of the request's entity list, or null where it has none
     * @param filters content of its filter lists, by column
     * @param quoteToken the price that the client was promised, as it was sent; null without one
     * @param openEnd if the request does not name its periods by dates alone, else null
     */
    record Valid(
            ReportRequest request,
            Quote quote,
            List<String> warnings,
            List<String> changes,
            @Nullable SortedTextSet entities,
            Map<String, SortedTextSet> filters,
            @Nullable String quoteToken,
            @Nullable OpenEnd openEnd)
            implements CheckedRequest {
        public Valid {
            warnings = List.copyOf(warnings);
            changes = List.copyOf(changes);
            filters = Map.copyOf(filters);
        }

        /** The same for another query over the same entities, which costs so much. */
        public Valid with(ReportQuery query, Quote price) {
            ReportRequest other = request.withQuery(query);
            return new Valid(other, price, warnings, changes, entities, filters, quoteToken, openEnd);
        }
    }

    /**
     * The dates of a request whose periods follow the data or the account's history, as they were sent. Which periods
     * those are was decided when the request was checked, and changes from day to day.
     *
     * @param start first day of the first period; null if the request does not name it
     * @param window {@code window_size}, or {@link #ALL} for {@code all_history}; else null
     * @param end the last period; null for the newest
     */
    record OpenEnd(
            @Nullable LocalDate start,
            @Nullable String window,
            @Nullable LocalDate end) {
        static final String ALL = "all";

        /** @param start null if only the newest period is asked for */
        public static OpenEnd from(@Nullable LocalDate start) {
            return new OpenEnd(start, null, null);
        }
    }

    /** @param errors at least one, at most 101: the last one counts those beyond 100 */
    record Invalid(List<String> errors, List<String> warnings) implements CheckedRequest {
        public Invalid {
            errors = List.copyOf(errors);
            warnings = List.copyOf(warnings);
        }
    }
}
