package millrace.client.cli.download;

import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import millrace.client.cli.session.ExitCodes;
import millrace.runtime.cli.CliException;
import org.jspecify.annotations.Nullable;

/** Where a report's file goes. */
public final class OutputFile {
    private static final Pattern NAME = Pattern.compile("filename=\"?([A-Za-z0-9][A-Za-z0-9._-]*)\"?");

    private static final Pattern ID = Pattern.compile("[A-Za-z0-9-]+");

    private OutputFile() {}

    /** Nothing is overwritten that nobody said to overwrite. */
    public static void check(Path target, boolean force) throws CliException {
        if (!force && Files.exists(target, LinkOption.NOFOLLOW_LINKS)) {
            throw new CliException(
                    ExitCodes.USAGE, target + " is there already: --force overwrites it, -o names another file");
        }
        Path folder = target.toAbsolutePath().getParent();
        if (folder != null && !Files.isDirectory(folder)) {
            throw new CliException(ExitCodes.USAGE, "there is no folder " + folder + " for " + target.getFileName());
        }
    }

    /** The name that the service gives the file, else the report's id: one name, and no path. */
    static String name(@Nullable String disposition, String report) throws CliException {
        Matcher name = NAME.matcher(disposition == null ? "" : disposition);
        if (name.find()) {
            return name.group(1);
        }
        if (!ID.matcher(report).matches()) {
            throw new CliException(
                    ExitCodes.REFUSED,
                    "the service names no file, and its report id is none to name one after: " + report
                            + "; name a file with -o");
        }
        return report;
    }
}
