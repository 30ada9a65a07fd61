package millrace.processor.warehouse.duckdb;

import java.nio.file.Path;
import millrace.runtime.settings.Setting;

/** Limits of DuckDB, which all files of the warehouse share. */
public record DuckDbSettings(
        @Setting(value = "1GB", doc = "memory for DuckDB, outside the Java heap")
        String memoryLimit,

        @Setting(value = "1", doc = "threads per query; many small reports want 1, few large ones more")
        int threads,

        @Setting(
                value = "data/tmp/duckdb",
                doc = "folder for sorts that do not fit into memory, and for entity indexes")
        Path tempDirectory,

        @Setting(
                value = "20000000",
                formerly = "processor.duckdb.copy-rows",
                advanced = true,
                doc = "most rows of a version that gets an entity index; 0: none")
        long indexRows) {

    public DuckDbSettings {
        if (!memoryLimit.matches("[0-9]+(\\.[0-9]+)? ?([KMGT]i?B)")) {
            throw new IllegalArgumentException("memory-limit is a size such as 512MB or 2GB, not " + memoryLimit);
        }
        if (indexRows < 0) {
            throw new IllegalArgumentException("index-rows must not be negative");
        }
        if (threads < 1) {
            throw new IllegalArgumentException("threads must be at least 1");
        }
    }
}
