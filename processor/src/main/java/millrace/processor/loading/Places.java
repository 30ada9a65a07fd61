package millrace.processor.loading;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import millrace.catalog.Catalog;
import millrace.catalog.CatalogException;
import org.jspecify.annotations.Nullable;

/**
 * Where the data are, as the command line says, else the environment as the services read it, else the folder {@code data}.
 *
 * @param catalog folder with declarations of further datasets, or null
 */
record Places(Path warehouse, @Nullable Path catalog) {
    private static final String CATALOG_OF_DATA = "catalog";

    static Places of(Arguments arguments, Map<String, String> environment) {
        Path data =
                Path.of(arguments.option("data").orElse(environment.getOrDefault("MILLRACE_STANDALONE_DATA", "data")));
        String warehouse =
                arguments.option("data").isPresent() ? null : environment.get("MILLRACE_PROCESSOR_WAREHOUSE");
        String catalog = arguments.option("catalog").orElse(environment.get("MILLRACE_PROCESSOR_CATALOG"));
        Path own = data.resolve(CATALOG_OF_DATA);
        return new Places(
                arguments
                        .option("warehouse")
                        .map(Path::of)
                        .orElse(warehouse == null ? data.resolve("warehouse") : Path.of(warehouse)),
                catalog != null ? Path.of(catalog) : Files.isDirectory(own) ? own : null);
    }

    /** @throws Arguments.Wrong where a declaration is wrong */
    Catalog load() throws Arguments.Wrong {
        try {
            return Catalog.load(catalog);
        } catch (CatalogException e) {
            throw new Arguments.Wrong(String.valueOf(e.getMessage()));
        }
    }
}
