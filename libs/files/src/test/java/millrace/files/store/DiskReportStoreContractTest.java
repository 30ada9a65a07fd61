package millrace.files.store;

import java.io.IOException;
import java.nio.file.Path;
import millrace.files.disk.DiskReportStore;
import org.junit.jupiter.api.io.TempDir;

class DiskReportStoreContractTest extends ReportStoreContract {
    @TempDir
    private Path root;

    @Override
    ReportStore store() throws IOException {
        return new DiskReportStore(root, false);
    }
}
