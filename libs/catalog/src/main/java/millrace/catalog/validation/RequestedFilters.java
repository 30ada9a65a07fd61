package millrace.catalog.validation;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import millrace.catalog.text.SortedTextSet;
import millrace.contracts.requests.FilterList;
import millrace.contracts.requests.ReportQuery;

/**
 * The filters of a request, by column.
 *
 * @param values in the query: all values, or the first of those that have a list
 * @param lists values that are too many for the query
 */
record RequestedFilters(Map<String, List<String>> values, Map<String, SortedTextSet> lists) {
    ReportQuery addTo(ReportQuery query) {
        var described = new TreeMap<String, FilterList>();
        lists.forEach((column, texts) -> described.put(column, texts.filterList()));
        return query.withFilters(Collections.unmodifiableMap(values), described.isEmpty() ? null : described);
    }
}
