package millrace.processor.data.importing;

import millrace.catalog.Catalog;
import millrace.catalog.CatalogException;
import millrace.catalog.dataset.Dataset;
import millrace.catalog.text.NearestName;
import millrace.catalog.text.Text;
import millrace.runtime.cli.CliException;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Option;

/**
 * The location of warehouse and catalog: from the command line, else from the environment as the services read it, else
 * the folder {@code data}.
 */
final class DataLocation {
    private static final String OWN_CATALOG = "catalog";

    private final Map<String, String> environment;

    @Option(names = "--data", paramLabel = "<folder>", description = "The data folder of ./millrace [data].")
    private @Nullable Path data;

    @Option(
            names = "--warehouse",
            paramLabel = "<folder>",
            description =
                    "The folder of the data alone [warehouse in the data folder, or MILLRACE_PROCESSOR_WAREHOUSE].")
    private @Nullable String warehouse;

    @Option(
            names = "--catalog",
            paramLabel = "<folder>",
            description =
                    "Folder with declarations of datasets of your own [catalog in the data folder, where it exists].")
    private @Nullable Path catalog;

    DataLocation(Map<String, String> environment) {
        this.environment = environment;
    }

    /** @throws CliException where the warehouse is not a folder */
    Path warehouse() throws CliException {
        String fromEnvironment = data == null ? environment.get("MILLRACE_PROCESSOR_WAREHOUSE") : null;
        String named = warehouse == null ? fromEnvironment : warehouse;
        if (named != null && named.startsWith("jdbc:")) {
            throw wrong("the warehouse is " + named.replaceAll("[?].*", "")
                    + ": its tables are loaded by the engine's own means; this works on a folder (--warehouse)");
        }
        return named == null ? data().resolve("warehouse") : Path.of(named);
    }

    /** @throws CliException where a declaration is not valid */
    Catalog catalog() throws CliException {
        String fromEnvironment =
                environment.getOrDefault("MILLRACE_STORAGE_CATALOG", environment.get("MILLRACE_PROCESSOR_CATALOG"));
        Path named = catalog == null && fromEnvironment != null ? Path.of(fromEnvironment) : catalog;
        Path own = data().resolve(OWN_CATALOG);
        try {
            return Catalog.load(named != null ? named : Files.isDirectory(own) ? own : null);
        } catch (CatalogException e) {
            throw wrong(String.valueOf(e.getMessage()));
        }
    }

    /** @throws CliException where the catalog does not have it */
    static Dataset dataset(Catalog catalog, String name) throws CliException {
        Optional<Dataset> dataset = catalog.dataset(name);
        if (dataset.isEmpty()) {
            throw wrong("there is no dataset " + Text.quoted(name) + NearestName.suggestion(name, catalog.names())
                    + "; known: " + Text.list(catalog.names()));
        }
        return dataset.get();
    }

    static CliException wrong(String message) {
        return new CliException(ExitCode.USAGE, message);
    }

    private Path data() {
        return data == null ? Path.of(environment.getOrDefault("MILLRACE_STANDALONE_DATA", "data")) : data;
    }
}
