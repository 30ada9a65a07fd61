package millrace.contracts.requests;

import java.time.LocalDate;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import millrace.contracts.Hashes;
import org.jspecify.annotations.Nullable;

/**
 * A normalised query, which is hashed, priced, planned and rendered. Requests with the same meaning
 * have equal queries.
 *
 * @param dataset name of a dataset of the catalog
 * @param entities domains or keywords, distinct, lower case, sorted by UTF-8 bytes; only the first
 *     of them where there is an {@code entityList}
 * @param countries distinct, upper case, sorted
 * @param metrics distinct, in the order of the request
 * @param dates the requested periods
 * @param filters values per filter key column (for example {@code age_group}), distinct and sorted;
 *     without filters that the request does not name; only the first values of those in {@code
 *     filterLists}
 * @param subdomains whether the figures of a domain include its subdomains
 * @param limit most rows of the report, or null
 * @param output format and delivery of the file
 * @param entityList all entities where they are too many to travel with the query, else null
 * @param filterLists all values of filters that have too many to travel with the query, by column;
 *     null where there is none
 * @param offset rows that are left out before the first row of the report, or null
 * @param split how the report is cut into files; null for one file
 */
public record ReportQuery(
        String dataset,
        List<String> entities,
        List<String> countries,
        List<String> metrics,
        Dates dates,
        Map<String, List<String>> filters,
        boolean subdomains,
        @Nullable Integer limit,
        Output output,
        @Nullable EntityList entityList,
        @Nullable Map<String, FilterList> filterLists,
        @Nullable Integer offset,
        @Nullable Split split) {

    public ReportQuery {
        entities = List.copyOf(entities);
        countries = List.copyOf(countries);
        metrics = List.copyOf(metrics);
        filterLists = filterLists == null ? null : Collections.unmodifiableMap(new TreeMap<>(filterLists));
    }

    /** A query that carries all of its entities and filters, and begins with its first row. */
    public ReportQuery(
            String dataset,
            List<String> entities,
            List<String> countries,
            List<String> metrics,
            Dates dates,
            Map<String, List<String>> filters,
            boolean subdomains,
            @Nullable Integer limit,
            Output output) {
        this(dataset, entities, countries, metrics, dates, filters, subdomains, limit, output, null, null, null, null);
    }

    /** The same query over a part of its entities. */
    public ReportQuery withEntities(List<String> part) {
        return with(part, null);
    }

    /**
     * The same query with its entities in a list.
     *
     * @param first entities that the query still contains
     */
    public ReportQuery with(List<String> first, @Nullable EntityList list) {
        return changed(first, dates, filters, list, filterLists, offset, split);
    }

    /**
     * The same query with other filters.
     *
     * @param lists of filters with too many values
     */
    public ReportQuery withFilters(Map<String, List<String>> values, @Nullable Map<String, FilterList> lists) {
        return changed(entities, dates, values, entityList, lists, offset, split);
    }

    /** The same query over other periods. */
    public ReportQuery withDates(Dates other) {
        return changed(entities, other, filters, entityList, filterLists, offset, split);
    }

    /** The same query without its first rows. */
    public ReportQuery withOffset(@Nullable Integer rows) {
        return changed(entities, dates, filters, entityList, filterLists, rows, split);
    }

    /** The same query, cut into files. */
    public ReportQuery withSplit(@Nullable Split other) {
        return changed(entities, dates, filters, entityList, filterLists, offset, other);
    }

    /** Number of files that the report is planned to have. One that ends before its limit is used has fewer. */
    public int parts() {
        return split == null ? 1 : split.parts();
    }

    private ReportQuery changed(
            List<String> newEntities,
            Dates newDates,
            Map<String, List<String>> newFilters,
            @Nullable EntityList newEntityList,
            @Nullable Map<String, FilterList> newFilterLists,
            @Nullable Integer newOffset,
            @Nullable Split newSplit) {
        return new ReportQuery(
                dataset,
                newEntities,
                countries,
                metrics,
                newDates,
                newFilters,
                subdomains,
                limit,
                output,
                newEntityList,
                newFilterLists,
                newOffset,
                newSplit);
    }

    /** Number of entities, in the query or in its list. */
    public int entityCount() {
        return entityList == null ? entities.size() : entityList.count();
    }

    /**
     * Number of a filter's values, in the query or in its list; 0 where the request does not name
     * it.
     */
    public int filterCount(String column) {
        FilterList list = filterList(column);
        return list == null ? filters.getOrDefault(column, List.of()).size() : list.count();
    }

    /** The hash of all entities, joined by LF, lower-case hex: the same in the query or in its list. */
    public String entitiesSha256() {
        return entityList == null ? Hashes.sha256Lines(entities) : entityList.sha256();
    }

    /** The same of a filter's values. */
    public String filterSha256(String column) {
        FilterList list = filterList(column);
        return list == null ? Hashes.sha256Lines(filters.getOrDefault(column, List.of())) : list.sha256();
    }

    /** The list of a filter's values; null where the query has them. */
    public @Nullable FilterList filterList(String column) {
        return filterLists == null ? null : filterLists.get(column);
    }

    /**
     * @param first first day of the first period
     * @param last first day of the last period; not before {@code first}
     */
    public record Dates(Granularity granularity, LocalDate first, LocalDate last) {}

    /**
     * Parts are runs of neighbouring entities, of the same number but for one.
     *
     * @param maxRows most rows of a file; null if {@code numOfFiles} is asked for
     * @param numOfFiles most files, or null
     * @param parts number of files, from 1, which follows from the request
     */
    public record Split(@Nullable Long maxRows, @Nullable Integer numOfFiles, int parts) {
        /** Most files of a report. */
        public static final int MOST_PARTS = 1_000;

        /** For files of at most so many rows. */
        public Split(long maxRows, int parts) {
            this(maxRows, null, parts);
        }
    }

    /**
     * @param deliveryMethod {@code download_link}
     * @param responseFormat {@code csv}, {@code json} or {@code parquet}
     * @param csvSafety {@code none} or {@code spreadsheet}
     * @param compression {@code gzip} or {@code zstd}; null for none
     */
    public record Output(
            String deliveryMethod,
            String responseFormat,
            String csvSafety,
            @Nullable String compression) {
        public static final Output CSV = new Output("download_link", "csv", "none");

        /** Without compression. */
        public Output(String deliveryMethod, String responseFormat, String csvSafety) {
            this(deliveryMethod, responseFormat, csvSafety, null);
        }

        /** The compression as requests name it. */
        public String compressionWord() {
            return Objects.requireNonNullElse(compression, FileFormat.Compression.NONE.word());
        }

        /**
         * @throws IllegalArgumentException where this version of Millrace does not know the format
         */
        public FileFormat fileFormat() {
            return new FileFormat(
                    FileFormat.Form.valueOf(responseFormat.toUpperCase(Locale.ROOT)),
                    compression == null
                            ? FileFormat.Compression.NONE
                            : FileFormat.Compression.valueOf(compression.toUpperCase(Locale.ROOT)));
        }
    }
}
