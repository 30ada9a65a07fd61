package millrace.processor.warehouse.duckdb;

import java.nio.file.Path;
import millrace.runtime.settings.Setting;

/** How DuckDB may use this machine. All files share these bounds. */
public record DuckDbSettings(
        @Setting(value = "1GB", doc = "memory for DuckDB, outside the Java heap")
        String memoryLimit,

        @Setting(value = "1", doc = "threads per query; many small reports want 1, few large ones more")
        int threads,

        @Setting(value = "data/tmp/duckdb", doc = "folder where sorts that do not fit into memory go, and copies")
        Path tempDirectory,

        @Setting(
                value = "20000000",
                doc =
                        "most rows of a version of which a copy is made where an entity's rows are found at once; 0: none")
        long copyRows) {

    public DuckDbSettings {
        if (!memoryLimit.matches("[0-9]+(\\.[0-9]+)? ?([KMGT]i?B)")) {
            throw new IllegalArgumentException("memory-limit is a size such as 512MB or 2GB, not " + memoryLimit);
        }
        if (copyRows < 0) {
            throw new IllegalArgumentException("copy-rows must not be negative");
        }
        if (threads < 1) {
            throw new IllegalArgumentException("threads must be at least 1");
        }
    }
}
