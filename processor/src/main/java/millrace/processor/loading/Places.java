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

    /** @throws Arguments.Wrong where the warehouse is no folder */
    static Places of(Arguments arguments, Map<String, String> environment) throws Arguments.Wrong {
        Path data =
                Path.of(arguments.option("data").orElse(environment.getOrDefault("MILLRACE_STANDALONE_DATA", "data")));
        String warehouse =
                arguments.option("data").isPresent() ? null : environment.get("MILLRACE_PROCESSOR_WAREHOUSE");
        String named = arguments.option("warehouse").orElse(warehouse);
        if (named != null && named.startsWith("jdbc:")) {
            throw new Arguments.Wrong("the warehouse is " + named.replaceAll("[?].*", "")
                    + ": its tables are loaded by the engine's own means; this works on a folder (--warehouse)");
        }
        String catalog = arguments.option("catalog").orElse(environment.get("MILLRACE_PROCESSOR_CATALOG"));
        Path own = data.resolve(CATALOG_OF_DATA);
        return new Places(
                named == null ? data.resolve("warehouse") : Path.of(named),
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
