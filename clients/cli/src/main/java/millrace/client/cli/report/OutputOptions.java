package millrace.client.cli.report;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import millrace.client.cli.session.ExitCodes;
import millrace.runtime.cli.CliException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where the file goes. */
final class OutputOptions {
    @Option(
            names = {"-o", "--output"},
            paramLabel = "<file>",
            description = "Where the file goes, - for the standard output; else into this folder, named as the service"
                    + " names it. Of a report in parts, the folder for its files.")
    private @Nullable Path output;

    @Option(names = "--force", description = "Overwrite the file where it is there already.")
    private boolean force;

    boolean standardOutput() {
        return output != null && List.of("-", "/dev/stdout").contains(output.toString());
    }

    boolean force() {
        return force;
    }

    /** Fails early, before a report is asked for. */
    void check() throws CliException {
        if (output != null && !standardOutput() && !Files.isDirectory(output)) {
            OutputFile.target(output, force);
        }
    }

    /** The same for a report that may have several files. */
    void checkFolder() throws CliException {
        if (standardOutput()) {
            throw new CliException(
                    ExitCodes.USAGE,
                    "a report that is split can have several files: -o names a folder for them, and not -");
        }
        if (output != null && Files.exists(output) && !Files.isDirectory(output)) {
            throw new CliException(
                    ExitCodes.USAGE, output + " is no folder: a report that is split can have several files");
        }
    }

    /** The file, or null where the service's name for it has to be known first. */
    @Nullable
    Path file() {
        return output == null || Files.isDirectory(output) ? null : output;
    }

    /** The file with this name, in the folder that was named or in this one. */
    Path file(String name) {
        return output == null ? Path.of(name) : output.resolve(name);
    }

    /** The folder that was named, else one with this name in this one. */
    Path folder(String name) {
        return output == null ? Path.of(name) : output;
    }

    /** What to type for the same file. */
    String typed() {
        return output == null ? "" : " -o " + output;
    }
}
