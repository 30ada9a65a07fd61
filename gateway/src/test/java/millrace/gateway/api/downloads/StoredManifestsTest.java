package millrace.gateway.api.downloads;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import millrace.contracts.Json;
import millrace.contracts.reports.ReportEvent.QuerySummary;
import millrace.contracts.reports.ReportManifest;
import millrace.contracts.reports.StoredFile;
import millrace.files.disk.DiskReportStore;
import millrace.files.store.ReportFileWriter;
import millrace.files.store.ReportStore;
import millrace.gateway.copy.reports.SampleRecords;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StoredManifestsTest {
    private static final int LARGE = 1 << 20;

    @TempDir
    private Path folder;

    private ReportStore store;
    private StoredManifests manifests;

    @BeforeEach
    void begin() throws IOException {
        store = new DiskReportStore(folder, false);
        manifests = new StoredManifests(store);
    }

    @Test
    void whatIsKnownIsNotReadAgain() throws IOException {
        StoredFile file = write("r/1/manifest.json", 1_000);
        assertThat(manifests.known(file).rowCount()).isEqualTo(7);
        store.delete(file.name());
        assertThat(manifests.known(file).rowCount()).isEqualTo(7);
        assertThatThrownBy(() -> manifests.read(file)).isInstanceOf(NoSuchFileException.class);
    }

    @Test
    void thoseThatWereUsedLongestAgoAreForgotten() throws IOException {
        List<StoredFile> files = new ArrayList<>();
        for (int i = 0; i * (long) LARGE <= StoredManifests.KEPT_BYTES; i++) {
            files.add(write("r/" + i + "/manifest.json", LARGE));
        }
        StoredFile first = files.getFirst();
        StoredFile second = files.get(1);
        for (StoredFile file : files.subList(0, files.size() - 1)) {
            var unused = manifests.known(file);
        }
        var used = manifests.known(first);
        var more = manifests.known(files.getLast());
        assertThat(used.rowCount()).isEqualTo(more.rowCount());
        for (StoredFile file : files) {
            store.delete(file.name());
        }
        assertThat(manifests.known(first).rowCount()).isEqualTo(7);
        assertThatThrownBy(() -> manifests.known(second)).isInstanceOf(NoSuchFileException.class);
    }

    /** A manifest of so many bytes; blanks are as good as files. */
    private StoredFile write(String name, int size) throws IOException {
        var query = QuerySummary.of(SampleRecords.wanted("a.example").query());
        String json = Json.text(new ReportManifest(
                new UUID(0, 1), "demographics", query, "v1", null, null, null, 7, List.of(), List.of()));
        try (ReportFileWriter out = store.create(name)) {
            out.write((json + " ".repeat(size - json.length())).getBytes(StandardCharsets.UTF_8));
            return out.commit();
        }
    }
}
