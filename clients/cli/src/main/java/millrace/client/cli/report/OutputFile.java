package millrace.client.cli.report;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.regex.Pattern;
import millrace.client.cli.session.ExitCodes;
import millrace.client.cli.session.Failures;
import millrace.client.cli.session.Links;
import millrace.runtime.cli.CliException;
import org.jspecify.annotations.Nullable;

/** Where a report's file goes. */
final class OutputFile {
    private static final Pattern ID = Pattern.compile("[A-Za-z0-9-]+");
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]*");

    private OutputFile() {}

    /** Something that bytes are written to, and that no file can replace: a device, or a pipe with a name. */
    static boolean isDevice(Path path) {
        return Files.exists(path) && !Files.isRegularFile(path) && !Files.isDirectory(path);
    }

    /**
     * What is written: the file itself, or the one that a link leads to. A file that is there is overwritten only by
     * force.
     */
    static Path target(Path path, boolean force) throws CliException {
        if (isDevice(path)) {
            return path;
        }
        Path target = followed(path);
        if (Files.isDirectory(target)) {
            throw new CliException(ExitCodes.USAGE, path + " is a folder: -o names a file in it");
        }
        if (!force && Files.exists(target)) {
            throw new CliException(
                    ExitCodes.USAGE, path + " is there already: --force overwrites it, -o names another file");
        }
        Path folder = target.toAbsolutePath().getParent();
        if (folder != null && !Files.isDirectory(folder)) {
            throw new CliException(ExitCodes.USAGE, "there is no folder " + folder + " for " + target.getFileName());
        }
        return target;
    }

    private static Path followed(Path path) throws CliException {
        try {
            return Links.followed(path);
        } catch (IOException e) {
            throw new CliException(ExitCodes.USAGE, path + " cannot be written: " + Failures.reason(e));
        }
    }

    /**
     * The folder for the files of a report, which is made if it is not there.
     *
     * @param named by whoever typed the command, or after the report
     */
    static Path folder(Path named) throws CliException {
        try {
            return Files.createDirectories(named);
        } catch (IOException e) {
            throw new CliException(ExitCodes.USAGE, named + " cannot be a folder for the files: " + Failures.reason(e));
        }
    }

    /** A name of the service: one name, and no path. */
    static String checked(String name) throws CliException {
        if (!NAME.matcher(name).matches()) {
            throw new CliException(ExitCodes.REFUSED, "the service gives a file a name that is none: " + name);
        }
        return name;
    }

    /** Whether the file is there and whole. */
    static boolean has(Path file, long size, String sha256) throws CliException {
        try {
            if (!Files.isRegularFile(file) || Files.size(file) != size) {
                return false;
            }
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            try (var in = new DigestInputStream(Files.newInputStream(file), digest)) {
                in.transferTo(OutputStream.nullOutputStream());
            }
            return HexFormat.of().formatHex(digest.digest()).equals(sha256);
        } catch (IOException e) {
            throw new CliException(ExitCodes.LOCAL, file + " cannot be read: " + Failures.reason(e));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    /** The name that the service gives the file, or the report's id if it gives none: one name, and no path. */
    static String name(@Nullable String given, String report) throws CliException {
        if (given != null) {
            return given;
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
