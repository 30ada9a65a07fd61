package millrace.processor.loading;

import java.io.Console;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import millrace.catalog.Catalog;
import millrace.catalog.Dataset;
import millrace.catalog.Nearest;
import millrace.catalog.Text;
import millrace.processor.loading.ImportResult.Checked;
import millrace.processor.loading.ImportResult.Imported;
import millrace.processor.loading.ImportResult.Refused;

/** {@code millrace import}. */
public final class ImportMain {
    static final int DONE = 0;
    static final int REFUSED = 1;
    static final int WRONG = 2;
    static final int FAILED = 3;

    private static final String USAGE = """
            Loads files as the new data of a dataset, beside the running service. Reports that are open keep the data they began with.

            usage: millrace import <dataset> <file>… [--append] [--dry-run] [--separator ,] [--data data]

                   millrace import <dataset> --columns    which columns the files have

            Files are CSV (UTF-8, with a header line), CSV compressed with gzip (*.gz), or Parquet (*.parquet), in any mix.
            Columns, in any order: the dataset's key columns, granularity, subdomains (for datasets of domains), and metrics.
            Left out: granularity where the dataset has one only; subdomains means false; a metric means no figures.

              --append         keep the rows that are there, but for those whose key the files have; without it the files
                               replace all data of the dataset
              --dry-run        check only
              --separator      what is between the cells of CSV files: , (as if not said), ; or tab
              --data           the data folder of ./millrace [data]
              --warehouse      the folder of the data alone [warehouse in the data folder, or MILLRACE_PROCESSOR_WAREHOUSE]
              --catalog        folder with declarations of datasets of your own [catalog in the data folder, where it exists]
              --memory         for sorting, beside the Java heap [512MB]

            Exit code: 0 done, 1 the files have problems, 2 wrong command, 3 it could not be done. But for 0, nothing was changed.
            """;
    private static final Set<String> VALUED = Set.of("separator", "data", "warehouse", "catalog", "memory");
    private static final Set<String> FLAGS = Set.of("append", "dry-run", "columns", "help");

    private final PrintStream out;
    private final PrintStream err;
    private final ImportProgress progress;

    private ImportMain(PrintStream out, PrintStream err) {
        this.out = out;
        this.err = err;
        this.progress = new ImportProgress(err, watched(), InstantSource.system());
    }

    /** Whether a person looks. */
    @SuppressWarnings("SystemConsoleNull") // where there is no console provider it still is null
    private static boolean watched() {
        Console console = System.console();
        return console != null && console.isTerminal();
    }

    public static void main(String[] arguments) {
        System.exit(run(arguments, System.getenv(), System.out, System.err));
    }

    static int run(String[] arguments, Map<String, String> environment, PrintStream out, PrintStream err) {
        return new ImportMain(out, err).run(arguments, environment);
    }

    private int run(String[] arguments, Map<String, String> environment) {
        try {
            Arguments given = Arguments.parse(arguments, VALUED, FLAGS);
            if (given.flag("help")) {
                out.print(USAGE);
                return DONE;
            }
            if (given.flag("columns") && given.words().size() == 1) {
                Catalog catalog = Places.of(given, environment).load();
                out.print(
                        Columns.of(TableColumn.of(dataset(catalog, given.words().getFirst()))));
                return DONE;
            }
            ImportOrder order = order(given, Places.of(given, environment));
            return say(order, new Import(order, InstantSource.system(), progress).run());
        } catch (Arguments.Wrong e) {
            err.println(e.getMessage());
            return WRONG;
        } catch (ImportException e) {
            progress.clear();
            err.println(e.getMessage());
            return FAILED;
        }
    }

    private static ImportOrder order(Arguments given, Places places) throws Arguments.Wrong {
        if (given.words().size() < 2) {
            throw new Arguments.Wrong(
                    "import needs a dataset and files: millrace import <dataset> <file>…; try --help");
        }
        List<Path> files = given.words().stream().skip(1).map(Path::of).toList();
        for (Path file : files) {
            if (Files.isDirectory(file) || !Files.isReadable(file)) {
                throw new Arguments.Wrong("there is no file " + file + " that can be read");
            }
            if (file.toString().endsWith(".parquet") && !Files.isRegularFile(file)) {
                throw new Arguments.Wrong(file + " is a pipe or a device, from which Parquet cannot be read");
            }
        }
        return new ImportOrder(
                dataset(places.load(), given.words().getFirst()),
                files,
                places.warehouse(),
                given.flag("append"),
                given.flag("dry-run"),
                separator(given.option("separator").orElse(",")),
                memory(given.option("memory").orElse("512MB")));
    }

    static Dataset dataset(Catalog catalog, String name) throws Arguments.Wrong {
        Optional<Dataset> dataset = catalog.dataset(name);
        if (dataset.isEmpty()) {
            throw new Arguments.Wrong("there is no dataset " + Text.quoted(name)
                    + Nearest.suggestion(name, catalog.names()) + "; known: " + Text.list(catalog.names()));
        }
        return dataset.get();
    }

    private static char separator(String given) throws Arguments.Wrong {
        String one = given.equals("tab") || given.equals("\\t") ? "\t" : given;
        if (one.length() != 1 || one.equals("\"") || Character.isLetterOrDigit(one.charAt(0))) {
            throw new Arguments.Wrong(
                    "--separator is one character such as , or ; or the word tab, not " + Text.quoted(given));
        }
        return one.charAt(0);
    }

    private static String memory(String given) throws Arguments.Wrong {
        if (!given.matches("[0-9]+(\\.[0-9]+)? ?([KMGT]i?B)")) {
            throw new Arguments.Wrong("--memory is a size such as 512MB or 2GB, not " + Text.quoted(given));
        }
        return given;
    }

    private int say(ImportOrder order, ImportResult result) {
        progress.clear();
        String dataset = order.dataset().name();
        return switch (result) {
            case Imported i -> {
                without(i.missing());
                out.println(dataset + "@" + i.version() + " is current: " + Text.number(i.rows()) + " rows"
                        + (order.append() ? ", " + Text.number(i.read()) + " of them from these files" : "")
                        + i.before().map(b -> "; before it " + b).orElse(""));
                yield DONE;
            }
            case Checked c -> {
                without(c.missing());
                out.println(Text.number(c.read()) + " rows are right; nothing was changed, as --dry-run asks");
                yield DONE;
            }
            case Refused r -> {
                r.problems().forEach(err::println);
                err.println(
                        Text.number(r.count()) + (r.count() == 1 ? " problem" : " problems") + "; nothing was changed");
                yield REFUSED;
            }
        };
    }

    private void without(List<String> missing) {
        if (!missing.isEmpty()) {
            err.println("no file has " + String.join(", ", missing) + ": reports will have no figures there");
        }
    }
}
