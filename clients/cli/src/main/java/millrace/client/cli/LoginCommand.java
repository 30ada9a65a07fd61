package millrace.client.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.Console;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Optional;
import java.util.concurrent.Callable;
import millrace.client.cli.api.Session;
import millrace.client.cli.api.Target;
import millrace.client.cli.output.Json;
import millrace.client.cli.output.Words;
import millrace.client.cli.session.Connection;
import millrace.client.cli.session.ExitCodes;
import millrace.client.cli.session.Failures;
import millrace.client.cli.session.Profile;
import millrace.client.cli.session.Profiles;
import millrace.runtime.cli.CliException;
import millrace.runtime.cli.TextFile;
import picocli.CommandLine.Command;

/** {@code millrace login}. */
@Command(
        name = "login",
        description = {
            "Keeps address and key for later commands, once the service has accepted the key.",
            "",
            "Without --key and MILLRACE_KEY the key is asked for, or read from the standard input. It is kept in"
                    + " ~/.config/millrace/profiles.json, which nobody else may read; to forget it, delete that file."
        },
        footer = "millrace login --url https://data.example.com --profile production")
final class LoginCommand implements Callable<Integer> {
    private static final int LONGEST_KEY = 1 << 12;

    private final Session session;

    LoginCommand(Session session) {
        this.session = session;
    }

    @Override
    public Integer call() throws CliException, InterruptedException {
        Connection asked = session.loginConnection();
        Connection connection = asked.key() == null ? new Connection(asked.url(), key(asked), asked.caFile()) : asked;
        JsonNode credits = session.api(connection).get(Target.batch("credits")).body();
        if (connection.url().getScheme().equals("http")
                && !loopback(connection.url().getHost())) {
            session.say("warning: over http anybody on the way can read the key; use https where there is one");
        }
        String name = session.profileName().orElse(Profiles.DEFAULT);
        Profiles profiles = session.profiles();
        profiles.save(
                name, new Profile(connection.url().toString(), String.valueOf(connection.key()), connection.caFile()));
        if (session.json()) {
            session.print(Json.object()
                    .put("profile", name)
                    .put("url", connection.url().toString())
                    .put("file", profiles.file().toString())
                    .put("remaining_credits", credits.path("remaining_credits").asLong()));
        } else {
            session.print("the key is accepted by " + connection.url() + ", with "
                    + Words.count(credits.path("remaining_credits").asLong(), "credit") + " left; kept as profile "
                    + name
                    + " in " + profiles.file());
        }
        return ExitCodes.DONE;
    }

    private String key(Connection connection) throws CliException {
        Optional<Console> console = Optional.ofNullable(System.console())
                .filter(Console::isTerminal)
                .filter(terminal -> session.machine().terminal().err());
        // Where it is typed it is not shown.
        String key = console.isPresent()
                ? Optional.ofNullable(console.get().readPassword("Key for %s: ", connection.url()))
                        .map(String::new)
                        .orElse("")
                : firstLine(session.in());
        if (key.isBlank()) {
            throw new CliException(ExitCodes.USAGE, "no key was given");
        }
        return Connection.checkedKey(key.strip());
    }

    private static String firstLine(InputStream in) throws CliException {
        try {
            return TextFile.decode(in.readNBytes(LONGEST_KEY))
                    .lines()
                    .findFirst()
                    .orElse("");
        } catch (IOException e) {
            throw new CliException(ExitCodes.LOCAL, "the key cannot be read: " + Failures.reason(e));
        }
    }

    private static boolean loopback(String host) {
        try {
            return InetAddress.getByName(host).isLoopbackAddress();
        } catch (UnknownHostException e) {
            return false;
        }
    }
}
