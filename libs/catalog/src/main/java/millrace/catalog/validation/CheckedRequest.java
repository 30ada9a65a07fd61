package millrace.catalog.validation;

import java.util.List;
import java.util.Map;
import millrace.catalog.text.SortedTextSet;
import millrace.contracts.accounts.Quote;
import millrace.contracts.requests.ReportRequest;
import org.jspecify.annotations.Nullable;

/** The result of checking a request body. Errors and warnings are sentences for people. */
public sealed interface CheckedRequest {
    List<String> warnings();

    /**
     * @param quote the estimate of the request
     * @param warnings about dropped duplicates and about estimates by a maximum
     * @param entities content of the request's entity list, or null where it has none
     * @param filters content of its filter lists, by column
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

    /** @param errors at least one, at most 101: the last one counts those beyond 100 */
    record Invalid(List<String> errors, List<String> warnings) implements CheckedRequest {
        public Invalid {
            errors = List.copyOf(errors);
            warnings = List.copyOf(warnings);
        }
    }
}
