package millrace.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import millrace.contracts.reports.StoredFile;
import millrace.contracts.requests.EntityList;
import millrace.contracts.requests.EntityRange;
import millrace.contracts.requests.FilterList;
import millrace.files.disk.DiskReportStore;
import millrace.files.store.ReportFileWriter;
import millrace.files.store.ReportStore;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EntityListsTest {
    private static final String FILE = "acme/845d6440-79d1-4125-964e-eaef0d6923e5/request";

    @TempDir
    private Path folder;

    private ReportStore store;
    private EntityList list;

    @BeforeEach
    void write() throws IOException {
        store = new DiskReportStore(folder, false);
        try (ReportFileWriter file = store.create(FILE)) {
            file.write("a.example\nb.example\né👟\nz.example".getBytes(StandardCharsets.UTF_8));
            StoredFile written = file.commit();
            list = new EntityList(4, written.size(), written.sha256(), 2, List.of(0L, 20L));
        }
    }

    @Test
    void readsTheLinesOfARange() throws IOException {
        assertThat(EntityLists.read(store, list.range(FILE, 0, 1))).containsExactly("a.example");
        assertThat(EntityLists.read(store, list.range(FILE, 1, 3))).containsExactly("b.example", "é👟");
        assertThat(EntityLists.read(store, list.range(FILE, 3, 4))).containsExactly("z.example");
        try (var lines = EntityLists.open(store, FILE, list)) {
            assertThat(lines.lines()).hasSize(4);
        }
    }

    @Test
    void readsAllValuesOfAFilter() throws IOException {
        var filter = new FilterList(4, list.bytes(), list.sha256());
        assertThat(EntityLists.read(store, FILE, filter)).containsExactly("a.example", "b.example", "é👟", "z.example");
        var longer = new FilterList(5, list.bytes(), list.sha256());
        assertThatThrownBy(() -> EntityLists.read(store, FILE, longer)).isInstanceOf(EOFException.class);
        var other = new FilterList(4, list.bytes() - 1, list.sha256());
        assertThatThrownBy(() -> EntityLists.read(store, FILE, other)).isInstanceOf(IOException.class);
        try (var bytes = EntityLists.bytes(store, FILE, filter)) {
            assertThat(bytes.readAllBytes()).hasSize((int) list.bytes()).startsWith('a', '.');
        }
        assertThatThrownBy(() -> EntityLists.bytes(store, FILE, other)).isInstanceOf(IOException.class);
    }

    @Test
    void doesNotTakeAnotherFileForIt() {
        var other = new EntityRange(FILE, list.bytes() + 1, 0, 0, 1);
        assertThatThrownBy(() -> EntityLists.read(store, other)).isInstanceOf(IOException.class);
        var gone = new EntityRange("acme/x/request", list.bytes(), 0, 0, 1);
        assertThatThrownBy(() -> EntityLists.read(store, gone)).isInstanceOf(NoSuchFileException.class);
        var tooLong = new EntityRange(FILE, list.bytes(), 20, 1, 2);
        assertThatThrownBy(() -> EntityLists.read(store, tooLong)).isInstanceOf(EOFException.class);
    }
}
