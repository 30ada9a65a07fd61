package millrace.files;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class DiskContractTest extends ReportStoreContract {
    @TempDir
    private Path root;

    @Override
    ReportStore store() throws IOException {
        return new DiskReportStore(root, false);
    }
}
