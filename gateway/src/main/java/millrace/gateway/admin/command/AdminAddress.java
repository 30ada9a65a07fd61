package millrace.gateway.admin.command;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;
import millrace.runtime.cli.CliException;
import millrace.runtime.cli.TextFile;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/**
 * Where the admin API is, and the key for it: as typed, else from the environment, else what {@code ./millrace} left in its data
 * folder, else the usual port of this machine.
 */
final class AdminAddress {
    static final String ADDRESS = "MILLRACE_ADMIN_ADDRESS";
    static final String KEY = "MILLRACE_ADMIN_KEY";
    private static final String USUAL = "http://127.0.0.1:8081";

    @Option(
            names = "--address",
            scope = ScopeType.INHERIT,
            paramLabel = "<url>",
            description = "Of the admin API; else " + ADDRESS + ", else that of ./millrace, else " + USUAL + ".")
    private @Nullable String address;

    @Option(
            names = "--key-file",
            scope = ScopeType.INHERIT,
            paramLabel = "<file>",
            description = "With the admin key; else " + KEY + ", else that of ./millrace.")
    private @Nullable Path keyFile;

    @Option(
            names = "--ca-file",
            scope = ScopeType.INHERIT,
            paramLabel = "<file>",
            description = "Certificates (PEM) to trust where the address is https; else those that Java trusts.")
    private @Nullable Path certificates;

    @Option(
            names = "--data",
            scope = ScopeType.INHERIT,
            paramLabel = "<folder>",
            description = "The data folder of ./millrace, for address and key [data].")
    private Path data = Path.of("data");

    URI address(Map<String, String> environment) throws CliException {
        String given = address == null ? environment.get(ADDRESS) : address;
        String text = given == null ? announced() : given;
        try {
            URI uri = URI.create(text == null ? USUAL : text);
            if (uri.getHost() == null) {
                throw new IllegalArgumentException("no host");
            }
            return uri;
        } catch (IllegalArgumentException e) {
            throw failure("the address must be like " + USUAL + ": " + text);
        }
    }

    String key(Map<String, String> environment) throws CliException {
        String inEnvironment = environment.get(KEY);
        if (keyFile == null && inEnvironment != null) {
            return inEnvironment.strip();
        }
        Path file = keyFile == null ? data.resolve("admin-keys") : keyFile;
        if (keyFile == null && Files.notExists(file)) {
            throw failure("no admin key: set " + KEY + ", or name a file with --key-file, or the data folder of"
                    + " ./millrace with --data");
        }
        // A key alone, or the first of a file as the gateway has it.
        return read(file)
                .lines()
                .map(String::strip)
                .filter(line -> !line.isEmpty() && !line.startsWith("#") && !line.contains("sha256:"))
                .map(line -> line.substring(line.lastIndexOf(' ') + 1))
                .findFirst()
                .orElseThrow(() -> failure(file + " has no key in it"));
    }

    /** PEM file of the certificates to trust; null: those that this Java trusts. */
    @Nullable
    Path certificates() {
        return certificates;
    }

    private @Nullable String announced() throws CliException {
        Path file = data.resolve("admin.yaml");
        if (Files.notExists(file)) {
            return null;
        }
        return read(file)
                .lines()
                .filter(line -> line.startsWith("address: "))
                .map(line -> line.substring("address: ".length()).strip())
                .findFirst()
                .orElse(null);
    }

    private static String read(Path file) throws CliException {
        try {
            return TextFile.read(file);
        } catch (NoSuchFileException e) {
            throw failure("there is no file " + file);
        } catch (IOException e) {
            throw failure(file + " cannot be read: " + e);
        }
    }

    private static CliException failure(String message) {
        return new CliException(ExitCode.USAGE, message);
    }
}
