package millrace.processor.loading;

import com.fasterxml.jackson.core.JsonProcessingException;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import millrace.catalog.Catalog;
import millrace.catalog.Text;
import millrace.contracts.Json;
import millrace.processor.warehouse.WarehouseFolder;

/** {@code millrace datasets}. */
public final class DatasetsMain {
    private static final String USAGE = """
            Shows the data that are there: datasets, versions, rows, periods, countries, size.

            usage: millrace datasets [<dataset>…] [--json] [--data data]
                   millrace datasets --use <dataset>@<version> [--data data]

              --json           one JSON array instead of a table
              --use            make a version current that is still there, for example the one before a wrong import
              --data           the data folder of ./millrace [data]
              --warehouse      the folder of the data alone [warehouse in the data folder, or MILLRACE_PROCESSOR_WAREHOUSE]
              --catalog        folder with declarations of datasets of your own [catalog in the data folder, where it exists]

            The version marked * is current: new reports read it.

            Exit code: 0 done, 2 wrong command, 3 it could not be done.
            """;
    private static final Set<String> VALUED = Set.of("use", "data", "warehouse", "catalog");
    private static final Set<String> FLAGS = Set.of("json", "help");

    private final PrintStream out;

    private DatasetsMain(PrintStream out) {
        this.out = out;
    }

    public static void main(String[] arguments) {
        System.exit(run(arguments, System.getenv(), System.out, System.err));
    }

    static int run(String[] arguments, Map<String, String> environment, PrintStream out, PrintStream err) {
        try {
            Arguments given = Arguments.parse(arguments, VALUED, FLAGS);
            if (given.flag("help")) {
                out.print(USAGE);
                return ImportMain.DONE;
            }
            var main = new DatasetsMain(out);
            Places places = Places.of(given, environment);
            if (given.option("use").isPresent()) {
                main.use(given.option("use").get(), places);
            } else {
                main.show(given, places);
            }
            return ImportMain.DONE;
        } catch (Arguments.Wrong e) {
            err.println(e.getMessage());
            return ImportMain.WRONG;
        } catch (ImportException e) {
            err.println(e.getMessage());
            return ImportMain.FAILED;
        } catch (IOException | SQLException e) {
            err.println("the warehouse cannot be read: " + e);
            return ImportMain.FAILED;
        }
    }

    private void show(Arguments given, Places places) throws Arguments.Wrong, IOException, SQLException {
        Catalog catalog = places.load();
        for (String name : given.words()) {
            ImportMain.dataset(catalog, name);
        }
        List<String> names = given.words().isEmpty() ? catalog.names() : given.words();
        List<VersionFacts> found = new Inventory(places.warehouse(), InstantSource.system()).of(names);
        if (given.flag("json")) {
            out.println(json(found));
        } else if (found.isEmpty()) {
            out.println("there are no data of " + Text.list(names) + " in " + places.warehouse());
        } else {
            out.print(new InventoryTable(found).text());
        }
    }

    private static String json(List<VersionFacts> found) {
        try {
            return Json.MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(found);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }

    private void use(String named, Places places) throws Arguments.Wrong, ImportException, IOException {
        int at = named.indexOf('@');
        if (at < 1) {
            throw new Arguments.Wrong(
                    "--use needs a dataset and a version: --use " + named + "@<version>; try: millrace datasets");
        }
        String dataset =
                ImportMain.dataset(places.load(), named.substring(0, at)).name();
        String version = named.substring(at + 1);
        var folder = new WarehouseFolder(places.warehouse(), InstantSource.system());
        if (!folder.versions(dataset).contains(version) || !Files.isRegularFile(folder.file(dataset, version))) {
            throw new Arguments.Wrong("there is no version " + Text.quoted(version) + " of " + dataset + "; there are: "
                    + Text.list(folder.versions(dataset)));
        }
        try (LoadingFolder loading = LoadingFolder.open(places.warehouse(), dataset)
                .orElseThrow(
                        () -> new ImportException("an import of " + dataset + " is running; nothing was changed"))) {
            folder.switchTo(dataset, version);
            out.println(dataset + "@" + version + " is current");
        }
    }
}
