package millrace.processor.rendering.rows;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.github.luben.zstd.ZstdInputStreamNoFinalizer;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import millrace.contracts.Hashes;
import millrace.contracts.Json;
import millrace.contracts.reports.ResultCounts;
import millrace.contracts.reports.StoredFile;
import millrace.contracts.requests.FileFormat;
import millrace.contracts.requests.FileFormat.Compression;
import millrace.contracts.requests.FileFormat.Form;
import millrace.contracts.requests.ReportQuery.Output;
import millrace.files.disk.DiskReportStore;
import millrace.processor.rendering.formats.ParquetFiles;
import millrace.processor.warehouse.TestWarehouse;
import millrace.processor.warehouse.Warehouse;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Renders the same report in every format: two slices, assembled, and read with common libraries. */
class FileFormatsTest {
    private static final String ROWS = """
            VALUES
            ('=sum(a)','US','2026-01-01','monthly', 1e7, 12345678.9, 1e-7, 50, 0.25),
            ('line\nbreak','US','2026-01-01','monthly', NULL, 'nan', 'infinity', -0.0, 5e-324),
            ('null','US','2026-01-01','monthly', 1.7976931348623157e308, 0.1, 3, NULL, 0.30000000000000004),
            ('say "hi", é','US','2026-01-01','monthly', 10, 11, 0.5, 50, 0.25),
            ('z','US','2026-01-01','monthly', NULL, NULL, NULL, NULL, NULL)""";
    private static final List<String> KEYWORDS = List.of("=sum(a)", "line\nbreak", "null", "say \"hi\", é", "z");
    private static final String[] METRICS = {
        "all_keyword_monthly_search_volume", "all_keyword_cpc", "all_keyword_volume", "zero_clicks_share"
    };

    @TempDir
    private Path folder;

    private DiskReportStore store;
    private TestWarehouse data;

    @BeforeEach
    void prepare() throws IOException {
        store = new DiskReportStore(folder.resolve("files"), false);
        data = new TestWarehouse(folder.resolve("warehouse")).with("keywords", "v1", ROWS);
    }

    static Stream<FileFormat> formats() {
        return Stream.of(Form.values())
                .flatMap(f -> Stream.of(Compression.values()).map(c -> new FileFormat(f, c)));
    }

    @ParameterizedTest
    @MethodSource("formats")
    void everyFormatHasTheSameRowsAndCounts(FileFormat format) throws Exception {
        List<ResultCounts> counts = new ArrayList<>();
        StoredFile whole = report(format, counts, KEYWORDS.subList(0, 2), List.of("nobody"), KEYWORDS.subList(2, 5));
        List<ResultCounts> ofCsv = new ArrayList<>();
        StoredFile csv =
                report(FileFormat.CSV, ofCsv, KEYWORDS.subList(0, 2), List.of("nobody"), KEYWORDS.subList(2, 5));

        assertThat(counts).isEqualTo(ofCsv).hasSize(3);
        assertThat(rows(format, whole)).hasSize(5).isEqualTo(rows(FileFormat.CSV, csv));
        assertThat(rows(format, whole)).first().asString().contains("=sum(a)").doesNotContain("'=");
        assertThat(whole.sha256()).isEqualTo(Hashes.sha256(bytes(whole)));
        assertThat(whole.size()).isEqualTo(bytes(whole).length);
    }

    @ParameterizedTest
    @MethodSource("formats")
    void theSameReportHasTheSameBytes(FileFormat format) throws Exception {
        var first = report(format, new ArrayList<>(), KEYWORDS.subList(0, 2), KEYWORDS.subList(2, 5));
        var second = report(format, new ArrayList<>(), KEYWORDS.subList(0, 2), KEYWORDS.subList(2, 5));
        assertThat(second.sha256()).isEqualTo(first.sha256());
    }

    @ParameterizedTest
    @MethodSource("formats")
    void aReportWithoutRowsIsAFileOfItsFormat(FileFormat format) throws Exception {
        assertThat(rows(format, report(format, new ArrayList<>(), List.of("nobody"))))
                .isEmpty();
        assertThat(rows(format, report(format, new ArrayList<>(), List.of("nobody"), List.of("nowhere"))))
                .isEmpty();
    }

    /** Slice by slice, each told what is left of the offset, as the ledger does it. */
    @ParameterizedTest
    @MethodSource("formats")
    void anOffsetLeavesOutTheFirstRows(FileFormat format) throws Exception {
        List<?>[] slices = {KEYWORDS.subList(0, 2), List.of("nobody"), KEYWORDS.subList(2, 5)};
        List<List<@Nullable Object>> whole = rows(format, report(format, new ArrayList<>(), slices));
        List<ResultCounts> counts = new ArrayList<>();
        assertThat(rows(format, report(format, counts, 3, slices))).isEqualTo(whole.subList(3, 5));
        assertThat(counts).extracting(ResultCounts::rows).containsExactly(0L, 0L, 2L);
        assertThat(rows(format, report(format, new ArrayList<>(), 9, slices))).isEmpty();
    }

    @Test
    void jsonHasEveryKeyInEachLineAndTheDigitsOfCsv() throws Exception {
        var format = new FileFormat(Form.JSON, Compression.NONE);
        String text = new String(bytes(report(format, new ArrayList<>(), List.of("=sum(a)", "z"))), UTF_8);
        assertThat(text).isEqualTo("""
                {"keyword":"=sum(a)","country":"US","date":"2026-01-01","all_keyword_monthly_search_volume":10000000,\
                "all_keyword_cpc":0.0000001,"all_keyword_volume":12345678.9,"zero_clicks_share":0.25}
                {"keyword":"z","country":"US","date":"2026-01-01","all_keyword_monthly_search_volume":null,\
                "all_keyword_cpc":null,"all_keyword_volume":null,"zero_clicks_share":null}
                """);
    }

    @Test
    void parquetHasTypedColumns() throws Exception {
        var format = new FileFormat(Form.PARQUET, Compression.ZSTD);
        Path file = local(report(format, new ArrayList<>(), KEYWORDS, List.of("nobody")));
        try (var duckdb = DriverManager.getConnection("jdbc:duckdb:");
                var sql = duckdb.createStatement();
                var types =
                        sql.executeQuery("SELECT string_agg(column_type, ' ') FROM (DESCRIBE FROM '" + file + "')")) {
            types.next();
            assertThat(types.getString(1)).isEqualTo("VARCHAR VARCHAR DATE DOUBLE DOUBLE DOUBLE DOUBLE");
        }
        try (var left = Files.list(folder.resolve("tmp"))) {
            assertThat(left).isEmpty();
        }
    }

    private StoredFile report(FileFormat format, List<ResultCounts> counts, List<?>... slices) throws Exception {
        return report(format, counts, 0, slices);
    }

    private StoredFile report(FileFormat format, List<ResultCounts> counts, long offset, List<?>... slices)
            throws Exception {
        long toSkip = offset;
        String compression = format.compression() == Compression.NONE
                ? null
                : format.compression().word();
        var output = new Output("download_link", format.form().word(), csvSafety(format), compression);
        List<StoredFile> parts = new ArrayList<>();
        try (Warehouse warehouse = data.open();
                var parquet = new ParquetFiles(folder.resolve("tmp"))) {
            var renderer = new SliceRenderer(TestWarehouse.CATALOG, warehouse, store, parquet);
            for (List<?> entities : slices) {
                var task = SampleTasks.of(
                                "keywords",
                                entities.stream().map(String.class::cast).toList(),
                                List.of("US"),
                                METRICS)
                        .output(output)
                        .skip(toSkip);
                var slice = parts.isEmpty() ? task : task.withoutHeader();
                String name = "r/1/" + parts.size() + "-x." + format.extension();
                SliceRenderer.Rendered made = renderer.render(slice.task(), name, new RunningSlice());
                parts.add(made.file());
                counts.add(made.counts());
                toSkip -= made.skipped();
            }
            return parts.size() == 1
                    ? parts.getFirst()
                    : renderer.assemble("r/1/report-x." + format.extension(), parts);
        }
    }

    /** The CSV safety of the format; only CSV has one. */
    private static String csvSafety(FileFormat format) {
        return format.form() == Form.CSV ? "none" : "spreadsheet";
    }

    private List<List<@Nullable Object>> rows(FileFormat format, StoredFile file) throws Exception {
        return switch (format.form()) {
            case CSV ->
                read(
                        "read_csv('%s', header = true, all_varchar = false, types = {'date': DATE,"
                                + " 'all_keyword_monthly_search_volume': DOUBLE, 'all_keyword_cpc': DOUBLE,"
                                + " 'all_keyword_volume': DOUBLE, 'zero_clicks_share': DOUBLE}, delim = ',', quote = '\"',"
                                + " escape = '\"')",
                        plain(format, file));
            case PARQUET -> read("'%s'", local(file));
            case JSON -> {
                List<List<@Nullable Object>> rows = new ArrayList<>();
                for (String line : Files.readAllLines(plain(format, file))) {
                    List<@Nullable Object> row = new ArrayList<>();
                    Json.MAPPER.readTree(line).forEach(cell -> row.add(value(cell)));
                    rows.add(row);
                }
                yield rows;
            }
        };
    }

    private static @Nullable Object value(JsonNode cell) {
        return cell.isNull() ? null : cell.isNumber() ? (Object) cell.doubleValue() : cell.asText();
    }

    private static List<List<@Nullable Object>> read(String source, Path file) throws Exception {
        List<List<@Nullable Object>> rows = new ArrayList<>();
        try (var duckdb = DriverManager.getConnection("jdbc:duckdb:");
                var sql = duckdb.createStatement();
                var found = sql.executeQuery("FROM " + source.formatted(file))) {
            while (found.next()) {
                List<@Nullable Object> row = new ArrayList<>();
                for (int i = 1; i <= 3; i++) {
                    row.add(found.getString(i));
                }
                for (int i = 4; i <= 7; i++) {
                    row.add(found.getObject(i));
                }
                rows.add(row);
            }
        }
        return rows;
    }

    private Path plain(FileFormat format, StoredFile file) throws IOException {
        var bytes = new ByteArrayInputStream(bytes(file));
        byte[] plain =
                switch (format.compression()) {
                    case NONE -> bytes.readAllBytes();
                    case GZIP -> new GZIPInputStream(bytes).readAllBytes();
                    case ZSTD -> new ZstdInputStreamNoFinalizer(bytes).readAllBytes();
                };
        return Files.write(folder.resolve("plain"), plain);
    }

    private Path local(StoredFile file) throws IOException {
        return Files.write(folder.resolve("local.parquet"), bytes(file));
    }

    private byte[] bytes(StoredFile file) throws IOException {
        var bytes = new ByteArrayOutputStream();
        store.copy(file, bytes);
        return bytes.toByteArray();
    }
}
