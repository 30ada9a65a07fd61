package millrace.client.cli.api;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.client.Waiting;
import java.io.InputStream;
import java.io.PrintStream;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import millrace.client.cli.output.Json;
import millrace.client.cli.output.Progress;
import millrace.client.cli.output.Table;
import millrace.client.cli.output.Terminal;
import millrace.client.cli.session.Connection;
import millrace.client.cli.session.ConnectionOptions;
import millrace.client.cli.session.ExitCodes;
import millrace.client.cli.session.Machine;
import millrace.client.cli.session.Profiles;
import millrace.runtime.cli.CliException;
import millrace.runtime.cli.CliRunner;
import millrace.runtime.cli.EnvironmentProxies;
import millrace.runtime.cli.TerminalText;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/** The options that every command has, and what follows from them. */
public final class Session {
    /** For questions: somebody waits. */
    private static final Duration SHORT = Duration.ofSeconds(10);
    /** For what is under way: longer than any restart takes. */
    private static final Duration LONG = Duration.ofMinutes(10);

    @Mixin
    private final ConnectionOptions connection = new ConnectionOptions();

    @Option(
            names = "--json",
            scope = ScopeType.INHERIT,
            description = "JSON for programs, as the API answers it, instead of text for people.")
    private boolean json;

    @Option(
            names = {"-q", "--quiet"},
            scope = ScopeType.INHERIT,
            description = "No progress and no remarks; the result and errors only.")
    private boolean quiet;

    @Option(
            names = "--no-color",
            scope = ScopeType.INHERIT,
            description = "No colours; also where NO_COLOR is set, and where the output is no terminal.")
    private boolean noColor;

    @Option(
            names = "--retry-for",
            scope = ScopeType.INHERIT,
            paramLabel = "<time>",
            description = "How long to try again where the service does not answer, like 30s or 5m"
                    + " [10s; 10m for a report or a feed that is under way].")
    private @Nullable Duration retryFor;

    private final Machine machine;
    private final String version;

    public Session(Machine machine, String version) {
        this.machine = machine;
        this.version = version;
    }

    public Machine machine() {
        return machine;
    }

    public PrintStream out() {
        return machine.out();
    }

    public InputStream in() {
        return machine.in();
    }

    public Waiting waiting() {
        return machine.waiting();
    }

    public Terminal terminal() {
        return noColor ? machine.terminal().withoutColours() : machine.terminal();
    }

    public boolean json() {
        return json;
    }

    /** Shows what goes on; close it before something else is printed. */
    public Progress progress() {
        return new Progress(machine.err(), terminal(), quiet);
    }

    /** A remark for people, on the error stream. */
    public void say(String line) {
        if (!quiet) {
            machine.err().println(TerminalText.escaped(line));
        }
    }

    public void print(String line) {
        machine.out().println(TerminalText.escaped(line));
    }

    /** The result of a change: the answer as it came, or a sentence for people. Returns the exit code. */
    public int print(JsonNode answer, String sentence) {
        if (json) {
            print(answer);
        } else {
            print(sentence);
        }
        return ExitCodes.DONE;
    }

    public void print(Table table) {
        table.print(machine.out(), terminal());
    }

    /** @param none what is said if it has no rows */
    public void print(Table table, String none) {
        if (table.isEmpty()) {
            say(none);
        } else {
            print(table);
        }
    }

    public void print(JsonNode answer) {
        Json.pretty(answer).lines().forEach(this::print);
    }

    /** For output without an end, or that is shown once. @throws CliException if it is lost */
    public void checkOutput(String... next) throws CliException {
        if (machine.out().checkError()) {
            throw new CliException(ExitCodes.LOCAL, CliRunner.UNWRITTEN + "\n" + String.join("\n", next));
        }
    }

    public Profiles profiles() {
        return new Profiles(machine.settingsFolder());
    }

    /** Which profile is named, if any. */
    public Optional<String> profileName() {
        return connection.profileName();
    }

    public Connection connection() throws CliException {
        return Connection.of(connection, machine, profiles());
    }

    /** Of a login. */
    public Connection loginConnection() throws CliException {
        return Connection.ofLogin(connection, machine, profiles());
    }

    /** For questions: gives up soon. */
    public Api api() throws CliException {
        return api(connection(), SHORT, this::say);
    }

    /** For what is under way: gives up late. */
    public Api retryingApi(Consumer<String> say) throws CliException {
        return api(connection(), LONG, say);
    }

    /** Of a connection that is not kept yet. */
    public Api api(Connection other) throws CliException {
        return api(other, SHORT, this::say);
    }

    private Api api(Connection to, Duration usual, Consumer<String> say) throws CliException {
        return new Api(to, http(to), machine.waiting(), retryFor == null ? usual : retryFor, say);
    }

    /** The event feed. */
    public EventFeed feed(Consumer<String> say) throws CliException {
        return new EventFeed(retryingApi(say));
    }

    /** For exchanges that are not the API's: other ports of a service, and receivers of webhooks. */
    public Http http() throws CliException {
        return http(connection());
    }

    private Http http(Connection to) throws CliException {
        return new Http("millrace-cli/" + version, to.caFile(), EnvironmentProxies.of(machine.environment()));
    }
}
