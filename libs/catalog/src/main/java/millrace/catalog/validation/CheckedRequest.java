package millrace.catalog.validation;

import java.util.List;
import java.util.Map;
import millrace.catalog.text.SortedTextSet;
import millrace.contracts.accounts.Quote;
import millrace.contracts.requests.ReportRequest;
import org.jspecify.annotations.Nullable;

/** A request body after all checks. Errors and warnings are whole sentences for people. */
public sealed interface CheckedRequest {
    List<String> warnings();

    /**
     * @param quote the estimate of the request
     * @param warnings duplicates that were dropped, estimates by a maximum
     * @param entities what the request's list of entities holds, or null where it has none
     * @param filters what its lists of filter values hold, by column
     */
    record Valid(
            ReportRequest request,
            Quote quote,
            List<String> warnings,
            @Nullable SortedTextSet entities,
            Map<String, SortedTextSet> filters)
            implements CheckedRequest {
        public Valid {
            warnings = List.copyOf(warnings);
            filters = Map.copyOf(filters);
        }
    }

    /** @param errors at least one, at most 101: beyond 100 the last says how many more there are */
    record Invalid(List<String> errors, List<String> warnings) implements CheckedRequest {
        public Invalid {
            errors = List.copyOf(errors);
            warnings = List.copyOf(warnings);
        }
    }
}
