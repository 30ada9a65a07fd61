package millrace.processor.data.importing;

import millrace.catalog.Catalog;
import millrace.catalog.text.Text;
import millrace.contracts.Json;
import millrace.processor.data.importing.Inventory.VersionSummary;
import millrace.processor.warehouse.duckdb.ImportFolder;
import millrace.processor.warehouse.duckdb.WarehouseFolder;
import millrace.runtime.cli.CliException;
import millrace.runtime.cli.CliRunner;

import com.fasterxml.jackson.core.JsonProcessingException;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code millrace versions}. */
@Command(
        name = "millrace versions",
        header = "Shows the data that are in a warehouse: datasets, versions, rows, periods, countries, size.",
        customSynopsis = {
            "millrace versions [<dataset>…] [--json] [--data data]",
            "       millrace versions --use <dataset>@<version> [--data data]"
        },
        synopsisHeading = "%nUsage: ",
        description = {"", "The version marked * is current: new reports read it."},
        optionListHeading = "%nOptions:%n",
        sortOptions = false,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:done",
            "2:wrong command",
            "3:it could not be done",
            "4:done, but what it says could not be printed; or something unexpected"
        },
        exitCodeOnExecutionException = ImportMain.UNWRITTEN)
public final class VersionsMain implements Callable<Integer> {
    @Mixin
    private final DataLocation location;

    @Parameters(arity = "0..*", paramLabel = "<dataset>")
    private List<String> datasets = List.of();

    @Option(names = "--json", description = "One JSON array instead of a table.")
    private boolean json;

    @Option(
            names = "--use",
            paramLabel = "<dataset>@<version>",
            description = "Make a version current that is still there, for example the one before a wrong import.")
    private @Nullable String use;

    private final PrintStream out;

    private VersionsMain(Map<String, String> environment, PrintStream out) {
        this.location = new DataLocation(environment);
        this.out = out;
    }

    public static void main(String[] arguments) {
        System.exit(run(arguments, System.getenv(), CliRunner.standardOutput(), CliRunner.errorStream()));
    }

    /** @return the exit code */
    static int run(String[] arguments, Map<String, String> environment, PrintStream out, PrintStream err) {
        return CliRunner.run(new VersionsMain(environment, out), arguments, out, err);
    }

    @Override
    public Integer call() throws CliException {
        try {
            if (use == null) {
                show();
            } else {
                use(use);
            }
            return ExitCode.OK;
        } catch (ImportException e) {
            throw new CliException(ImportMain.FAILED, e.getMessage());
        } catch (IOException | SQLException e) {
            throw new CliException(ImportMain.FAILED, "the warehouse cannot be read: " + e);
        }
    }

    private void show() throws CliException, IOException, SQLException {
        Catalog catalog = location.catalog();
        for (String name : datasets) {
            DataLocation.dataset(catalog, name);
        }
        List<String> names = datasets.isEmpty() ? catalog.names() : datasets;
        var inventory = new Inventory(location.warehouse(), InstantSource.system());
        List<VersionSummary> found = inventory.of(names);
        if (json) {
            out.println(json(found));
        } else if (found.isEmpty()) {
            out.println("there are no data of " + Text.list(names) + " in " + location.warehouse());
        } else {
            out.print(new InventoryTable(found).text());
        }
        if (!inventory.damaged().isEmpty()) {
            throw new CliException(ImportMain.FAILED, String.join("; ", inventory.damaged()));
        }
    }

    private static String json(List<VersionSummary> found) {
        try {
            return Json.MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(found);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }

    private void use(String named) throws CliException, ImportException, IOException {
        int at = named.indexOf('@');
        if (at < 1) {
            throw DataLocation.wrong(
                    "--use needs a dataset and a version: --use " + named + "@<version>; try: millrace versions");
        }
        String dataset =
                DataLocation.dataset(location.catalog(), named.substring(0, at)).name();
        String version = named.substring(at + 1);
        Path warehouse = location.warehouse();
        var folder = new WarehouseFolder(warehouse, InstantSource.system());
        if (!folder.versions(dataset).contains(version) || !Files.isRegularFile(folder.file(dataset, version))) {
            throw DataLocation.wrong("there is no version " + Text.quoted(version) + " of " + dataset + "; there are: "
                    + Text.list(folder.versions(dataset)));
        }
        try (ImportFolder loading = ImportFolder.open(warehouse, dataset)
                .orElseThrow(
                        () -> new ImportException("an import of " + dataset + " is running; nothing was changed"))) {
            folder.switchTo(dataset, version);
            out.println(dataset + "@" + version + " is current");
        }
    }
}
