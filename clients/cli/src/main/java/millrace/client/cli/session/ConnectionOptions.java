package millrace.client.cli.session;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import millrace.runtime.cli.CliException;
import millrace.runtime.cli.TextFile;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/** The options that say which service is called, and as whom. */
public final class ConnectionOptions {
    @Option(
            names = "--url",
            scope = ScopeType.INHERIT,
            paramLabel = "<url>",
            description = "Address of the service; else " + Connection.URL + ", else that of the profile, else "
                    + Connection.USUAL + ".")
    @Nullable
    String url;

    @Option(
            names = "--key",
            scope = ScopeType.INHERIT,
            paramLabel = "<key>|@<file>",
            description = "The batch key, or a file that has it. Others on this machine see what is typed here: rather"
                    + " use " + Connection.KEY + ", or millrace login.")
    private @Nullable String key;

    @Option(
            names = "--profile",
            scope = ScopeType.INHERIT,
            paramLabel = "<name>",
            description = "Address and key as millrace login has kept them under this name [" + Profiles.DEFAULT + "].")
    @Nullable
    String profile;

    @Option(
            names = "--ca-file",
            scope = ScopeType.INHERIT,
            paramLabel = "<file>",
            description = "Certificates (PEM) to trust where the address is https; else those that Java trusts.")
    @Nullable
    Path caFile;

    /** Which profile is named on the command line, if any. */
    public Optional<String> profileName() {
        return Optional.ofNullable(profile);
    }

    @Nullable
    String key(Machine machine) throws CliException {
        if (key == null || !key.startsWith("@")) {
            return key == null ? null : key.strip();
        }
        String name = key.substring(1);
        try {
            String text =
                    name.equals("-") ? TextFile.decode(machine.in().readNBytes(1 << 16)) : TextFile.read(Path.of(name));
            return text.lines()
                    .map(String::strip)
                    .filter(line -> !line.isEmpty())
                    .findFirst()
                    .orElseThrow(() -> new CliException(ExitCodes.USAGE, name + " has no key in it"));
        } catch (IOException e) {
            throw new CliException(ExitCodes.LOCAL, "the key cannot be read from " + name + ": " + Failures.reason(e));
        }
    }
}
