package millrace.processor.data.importing;

import millrace.catalog.Catalog;
import millrace.catalog.text.Text;
import millrace.processor.data.importing.Import.ImportOptions;
import millrace.processor.data.importing.Import.ImportResult;
import millrace.processor.data.importing.Import.ImportResult.Checked;
import millrace.processor.data.importing.Import.ImportResult.Imported;
import millrace.processor.data.importing.Import.ImportResult.Refused;
import millrace.runtime.cli.CliException;
import millrace.runtime.cli.CliRunner;

import java.io.Console;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code millrace import}. */
@Command(
        name = "millrace import",
        header = {
            "Loads files as the new data of a dataset, beside the running service.",
            "Reports that are open keep the data they began with."
        },
        customSynopsis = {
            "millrace import <dataset> <file>… [--append] [--dry-run] [--separator ,] [--data data]",
            "       millrace import <dataset> --columns    which columns the files have"
        },
        synopsisHeading = "%nUsage: ",
        optionListHeading = "%nOptions:%n",
        sortOptions = false,
        description = {
            "",
            "Files are CSV (UTF-8, with a header line), CSV compressed with gzip (*.gz), or Parquet (*.parquet), in any mix."
                    + " Columns, in any order: the dataset's key columns, granularity, subdomains (for datasets of"
                    + " domains), and metrics. Left out: granularity where the dataset has one only; subdomains means"
                    + " false; a metric means no figures."
        },
        exitCodeListHeading = "%nExit codes (but for 0 and 4, nothing was changed):%n",
        exitCodeList = {
            "0:done",
            "1:the files have problems",
            "2:wrong command",
            "3:it could not be done",
            "4:done, but what it says could not be printed; or something unexpected: look with millrace versions"
        },
        exitCodeOnExecutionException = ImportMain.UNWRITTEN)
public final class ImportMain implements Callable<Integer> {
    static final int REFUSED = 1;
    static final int FAILED = 3;
    static final int UNWRITTEN = 4;

    @Mixin
    private final DataLocation location;

    @Parameters(index = "0", paramLabel = "<dataset>")
    private String dataset = "";

    @Parameters(index = "1..*", arity = "0..*", paramLabel = "<file>")
    private List<Path> files = List.of();

    @Option(
            names = "--append",
            description = "Keep the rows that are there, but for those whose key the files have; without it the files"
                    + " replace all data of the dataset.")
    private boolean append;

    @Option(names = "--dry-run", description = "Check only.")
    private boolean dryRun;

    @Option(names = "--columns", description = "Show which columns the files of the dataset have.")
    private boolean columns;

    @Option(
            names = "--separator",
            paramLabel = "<character>",
            description = "What is between the cells of CSV files: , (if not given), ; or tab.")
    private String separator = ",";

    @Option(names = "--memory", paramLabel = "<size>", description = "For sorting, beside the Java heap [512MB].")
    private String memory = "512MB";

    private final PrintStream out;
    private final PrintStream err;
    private final ImportProgress progress;

    private ImportMain(Map<String, String> environment, PrintStream out, PrintStream err) {
        this.location = new DataLocation(environment);
        this.out = out;
        this.err = err;
        this.progress = new ImportProgress(err, watched(), System::nanoTime);
    }

    /** Whether output goes to a terminal. */
    @SuppressWarnings("SystemConsoleNull") // where there is no console provider it still is null
    private static boolean watched() {
        Console console = System.console();
        return console != null && console.isTerminal();
    }

    public static void main(String[] arguments) {
        System.exit(run(arguments, System.getenv(), CliRunner.standardOutput(), CliRunner.errorStream()));
    }

    /** @return the exit code */
    static int run(String[] arguments, Map<String, String> environment, PrintStream out, PrintStream err) {
        return CliRunner.run(new ImportMain(environment, out, err), arguments, out, err);
    }

    @Override
    public Integer call() throws CliException {
        Catalog catalog = location.catalog();
        if (columns) {
            out.print(TextTable.of(TableColumn.of(DataLocation.dataset(catalog, dataset))));
            return ExitCode.OK;
        }
        ImportOptions order = order(catalog);
        try {
            return say(order, new Import(order, InstantSource.system(), progress).run());
        } catch (ImportException e) {
            progress.clear();
            throw new CliException(FAILED, e.getMessage());
        }
    }

    private ImportOptions order(Catalog catalog) throws CliException {
        if (files.isEmpty()) {
            throw DataLocation.wrong("which files? millrace import " + dataset + " <file>…; try --help");
        }
        for (Path file : files) {
            if (Files.isDirectory(file) || !Files.isReadable(file)) {
                throw DataLocation.wrong("there is no file " + file + " that can be read");
            }
            if (file.toString().endsWith(".parquet") && !Files.isRegularFile(file)) {
                throw DataLocation.wrong(file + " is a pipe or a device, from which Parquet cannot be read");
            }
        }
        return new ImportOptions(
                DataLocation.dataset(catalog, dataset),
                files,
                location.warehouse(),
                append,
                dryRun,
                separator(separator),
                memory(memory));
    }

    private static char separator(String given) throws CliException {
        String one = given.equals("tab") || given.equals("\\t") ? "\t" : given;
        if (one.length() != 1 || one.equals("\"") || Character.isLetterOrDigit(one.charAt(0))) {
            throw DataLocation.wrong(
                    "--separator is one character such as , or ; or the word tab, not " + Text.quoted(given));
        }
        return one.charAt(0);
    }

    private static String memory(String given) throws CliException {
        if (!given.matches("[0-9]+(\\.[0-9]+)? ?([KMGT]i?B)")) {
            throw DataLocation.wrong("--memory is a size such as 512MB or 2GB, not " + Text.quoted(given));
        }
        return given;
    }

    private int say(ImportOptions order, ImportResult result) {
        progress.clear();
        return switch (result) {
            case Imported i -> {
                without(i.missing());
                out.println(
                        order.dataset().name() + "@" + i.version() + " is current: " + Text.number(i.rows()) + " rows"
                                + (order.append() ? ", " + Text.number(i.read()) + " of them from these files" : "")
                                + i.before().map(b -> "; before it " + b).orElse(""));
                yield ExitCode.OK;
            }
            case Checked c -> {
                without(c.missing());
                out.println(Text.number(c.read()) + " rows are right; nothing was changed, as --dry-run asks");
                yield ExitCode.OK;
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
