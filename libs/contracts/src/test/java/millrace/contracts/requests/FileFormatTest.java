package millrace.contracts.requests;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.UUID;
import millrace.contracts.requests.FileFormat.Compression;
import millrace.contracts.requests.FileFormat.Form;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FileFormatTest {
    @ParameterizedTest
    @CsvSource({
        "CSV, NONE, csv, text/csv; charset=utf-8",
        "CSV, GZIP, csv.gz, application/gzip",
        "CSV, ZSTD, csv.zst, application/zstd",
        "JSON, NONE, jsonl, application/x-ndjson",
        "JSON, GZIP, jsonl.gz, application/gzip",
        "JSON, ZSTD, jsonl.zst, application/zstd",
        "PARQUET, NONE, parquet, application/vnd.apache.parquet",
        "PARQUET, GZIP, gzip.parquet, application/vnd.apache.parquet",
        "PARQUET, ZSTD, zstd.parquet, application/vnd.apache.parquet",
    })
    void aNameSaysTheFormat(Form form, Compression compression, String extension, String mediaType) {
        var format = new FileFormat(form, compression);
        assertThat(format.extension()).isEqualTo(extension);
        assertThat(format.mediaType()).isEqualTo(mediaType);
        assertThat(FileFormat.ofName("r/1/0-x." + extension)).isEqualTo(format);
        assertThat(format.downloadName("keywords", new UUID(0, 1)))
                .isEqualTo("keywords-00000000-0000-0000-0000-000000000001." + extension);
    }

    @ParameterizedTest
    @CsvSource({"r/1/0-x", "r/1/0-xcsv", "r/1/0-gz", "r/1/0.gz"})
    void aNameWithoutAFormatIsPlainCsv(String name) {
        assertThat(FileFormat.ofName(name)).isEqualTo(FileFormat.CSV);
    }
}
