package millrace.gateway.api.downloads;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.github.luben.zstd.ZstdOutputStreamNoFinalizer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.zip.GZIPOutputStream;
import millrace.catalog.Catalog;
import millrace.contracts.Json;
import millrace.contracts.reports.ReportStatus;
import millrace.contracts.reports.ResultCounts;
import millrace.contracts.reports.StoredFile;
import millrace.files.disk.DiskReportStore;
import millrace.files.store.ReportFileWriter;
import millrace.gateway.copy.reports.SampleRecords;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReportPreviewsTest {
    private static final String HEADER = "domain,country,date,age_group,gender,demographics_share\r\n";
    private static final List<String> COLUMNS =
            List.of("domain", "country", "date", "age_group", "gender", "demographics_share");
    private static final String ROWS = """
            a.example,US,2026-08-01,18-24,Female,0.25\r
            "say ""a, b""
            and c",US,2026-08-01,18-24,,\r
            007,US,2026-08-01,25-34,Male,1.0E-5\r
            """;
    private static final String SHOWN = """
            [["a.example","US","2026-08-01","18-24","Female",0.25],\
            ["say \\"a, b\\"\\nand c","US","2026-08-01","18-24",null,null],\
            ["007","US","2026-08-01","25-34","Male",1.0E-5]]""";

    @TempDir
    Path folder;

    private DiskReportStore store;
    private ReportPreviews previews;
    private final AtomicLong nanos = new AtomicLong();
    private final PreviewSlots slots = new PreviewSlots(nanos::get);

    @BeforeEach
    void open() throws IOException {
        store = new DiskReportStore(folder, false);
        previews = new ReportPreviews(store, Catalog.builtIn());
    }

    @ParameterizedTest
    @ValueSource(strings = {"csv", "csv.gz", "csv.zst"})
    void showsTheRowsOfCsv(String extension) throws IOException {
        JsonNode shown = shown("rows." + extension, 100, HEADER, ROWS);
        assertThat(Json.text(shown.path("columns"))).isEqualTo(Json.text(COLUMNS));
        assertThat(shown.path("rows").toString()).isEqualTo(SHOWN);
        assertThat(shown.path("returned").asInt()).isEqualTo(3);
        assertThat(shown.path("row_count").asInt()).isEqualTo(12_345);
    }

    @ParameterizedTest
    @ValueSource(strings = {"jsonl", "jsonl.gz", "jsonl.zst"})
    void showsTheRowsOfJson(String extension) throws IOException {
        JsonNode shown = shown(
                "rows." + extension,
                100,
                "{\"domain\":\"a.example\",\"country\":\"US\",\"demographics_share\":0.250}\n",
                "{\"domain\":\"b\\n\\\"é\",\"country\":null,\"demographics_share\":null}\n");
        assertThat(Json.text(shown.path("columns")))
                .isEqualTo(Json.text(List.of("domain", "country", "demographics_share")));
        assertThat(shown.path("rows").toString()).isEqualTo("[[\"a.example\",\"US\",0.25],[\"b\\n\\\"é\",null,null]]");
        assertThat(shown.path("returned").asInt()).isEqualTo(2);
    }

    @Test
    void numbersKeepTheirDigits() throws IOException {
        assertThat(text("digits.csv", 100, HEADER, "a,US,2026-08-01,x,y,0.10000000000000000001\r\n"))
                .contains(",0.10000000000000000001]]");
        assertThat(text("digits.jsonl", 100, "{\"share\":0.10000000000000000001}\n"))
                .contains("[[0.10000000000000000001]]");
    }

    @ParameterizedTest
    @ValueSource(strings = {"csv", "jsonl"})
    void showsNoMoreThanIsWanted(String extension) throws IOException {
        String[] rows = IntStream.range(0, 6_000)
                .mapToObj(i -> extension.equals("csv") ? i + ",US,2026-08-01,x,y," + i + "\r\n" : "{\"a\":" + i + "}\n")
                .toArray(String[]::new);
        String content = (extension.equals("csv") ? HEADER : "") + String.join("", rows);
        for (int most : List.of(1, 100, 5_000)) {
            JsonNode shown = shown("many-" + most + "." + extension, most, content);
            assertThat(shown.path("returned").asInt()).isEqualTo(most);
            assertThat(shown.path("rows")).hasSize(most);
        }
    }

    @Test
    void aFileWithoutRowsHasNone() throws IOException {
        JsonNode csv = shown("empty.csv", 100, HEADER);
        assertThat(csv.path("columns")).hasSize(6);
        assertThat(csv.path("rows")).isEmpty();
        assertThat(csv.path("returned").asInt()).isZero();
        JsonNode json = shown("empty.jsonl", 100, "");
        assertThat(json.path("columns")).isEmpty();
        assertThat(json.path("rows")).isEmpty();
    }

    @Test
    void endsWhereMuchIsWritten() throws IOException {
        String cell = "x".repeat(10_000);
        String content = HEADER
                + IntStream.range(0, 1_000)
                        .mapToObj(i -> cell + ",US,2026-08-01,x,y,\r\n")
                        .collect(Collectors.joining());
        String text = text("long.csv.gz", 1_000, content);
        assertThat(text.length()).isBetween(PreviewStream.MOST_WRITTEN, PreviewStream.MOST_WRITTEN + 20_000);
        JsonNode shown = Json.MAPPER.readTree(text);
        assertThat(shown.path("rows")).hasSize(shown.path("returned").asInt());
    }

    /** Names of columns are in each row of the file, but not in those of the preview. */
    @Test
    void endsWhereMuchIsRead() throws IOException {
        String row = "{\"" + "name".repeat(2_500) + "\":1}\n";
        JsonNode shown = shown("names.jsonl.zst", 5_000, row.repeat(5_000));
        int mostRows = PreviewStream.MOST_READ / row.length() + 1;
        assertThat(shown.path("returned").asInt()).isBetween(mostRows - 10, mostRows);
    }

    @Test
    void aClientThatReadsSlowlyIsCutOff() throws IOException {
        String content = HEADER + "a,US,2026-08-01,x,y,1\r\n".repeat(5_000);
        try (PreviewStream preview = opened("slow.csv", 5_000, content)) {
            assertThat(preview.readNBytes(10)).hasSize(10);
            nanos.addAndGet(PreviewSlots.LONGEST.toNanos() + 1);
            assertThatThrownBy(preview::readAllBytes).isInstanceOf(IOException.class);
        }
    }

    @Test
    void closingItEndsItsSlot() throws IOException {
        for (int i = 0; i < 2 * PreviewSlots.OF_ACCOUNT; i++) {
            opened("slot-" + i + ".csv", 1, HEADER).close();
        }
        assertThat(slots.take("acme")).isPresent();
    }

    @Test
    void aFailureEndsItsSlot() throws IOException {
        StoredFile tooShort = write("short.csv", packed("short.csv", HEADER, "a.example,US\r\n"));
        for (int i = 0; i < 2 * PreviewSlots.OF_ACCOUNT; i++) {
            assertThatThrownBy(() -> open(tooShort, 1)).isInstanceOf(IOException.class);
            assertThatThrownBy(() -> open(new StoredFile("none.csv", 1, ""), 1)).isInstanceOf(IOException.class);
            assertThatThrownBy(() -> open(new StoredFile("../a.csv", 1, ""), 1)).isInstanceOf(RuntimeException.class);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"a.example,US", "a.example,US,2026-08-01,x,y,1,2", "a.example"})
    void aRowWithoutItsCellsIsAnError(String row) throws IOException {
        StoredFile file = write("cells.csv", packed("cells.csv", HEADER, row + "\r\n"));
        assertThatThrownBy(() -> open(file, 1)).isInstanceOf(IOException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"damaged.csv.gz", "damaged.csv.zst", "damaged.jsonl"})
    void aDamagedFileIsAnError(String name) throws IOException {
        StoredFile file = write(name, "this is no such file".getBytes(StandardCharsets.UTF_8));
        assertThatThrownBy(() -> open(file, 1)).isInstanceOf(IOException.class);
    }

    @Test
    void aFileThatIsCutOffIsAnError() throws IOException {
        byte[] whole = packed("cut.csv.gz", HEADER, ROWS);
        StoredFile file = write("cut.csv.gz", java.util.Arrays.copyOf(whole, whole.length / 2));
        assertThatThrownBy(() -> open(file, 100)).isInstanceOf(IOException.class);
    }

    @Test
    void aDeletedFileIsMissing() {
        assertThatThrownBy(() -> open(new StoredFile("none.csv", 1, ""), 1)).isInstanceOf(NoSuchFileException.class);
    }

    private JsonNode shown(String name, int most, String... parts) throws IOException {
        return Json.MAPPER.readTree(text(name, most, parts));
    }

    private String text(String name, int most, String... parts) throws IOException {
        try (PreviewStream preview = opened(name, most, parts)) {
            return new String(preview.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private PreviewStream opened(String name, int most, String... parts) throws IOException {
        return open(write(name, packed(name, parts)), most);
    }

    private PreviewStream open(StoredFile file, int most) throws IOException {
        ReportStatus report = SampleRecords.complete(1, 1, 2);
        var result = new ReportStatus.Result(new ResultCounts(12_345, 1, 0), 1, file, Instant.MAX);
        return previews.open(report, result, file, most, slots.take("acme").orElseThrow());
    }

    private StoredFile write(String name, byte[] bytes) throws IOException {
        try (ReportFileWriter out = store.create(UUID.randomUUID() + "/" + name)) {
            out.write(bytes);
            return out.commit();
        }
    }

    /** As the parts of a report are put together: each is a gzip member or a zstd frame of its own. */
    private static byte[] packed(String name, String... parts) throws IOException {
        var file = new ByteArrayOutputStream();
        for (String part : parts) {
            var packed = new ByteArrayOutputStream();
            try (OutputStream out = name.endsWith(".gz")
                    ? new GZIPOutputStream(packed)
                    : name.endsWith(".zst") ? new ZstdOutputStreamNoFinalizer(packed) : packed) {
                out.write(part.getBytes(StandardCharsets.UTF_8));
            }
            file.writeBytes(packed.toByteArray());
        }
        return file.toByteArray();
    }
}
