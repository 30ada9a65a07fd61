package millrace.client.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.concurrent.Callable;
import millrace.client.cli.api.Session;
import millrace.client.cli.api.Target;
import millrace.client.cli.output.Json;
import millrace.client.cli.output.Table;
import millrace.client.cli.output.Words;
import millrace.client.cli.session.ExitCodes;
import millrace.runtime.cli.CliException;
import millrace.runtime.cli.TypedTime;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code millrace keys}. */
@Command(
        name = "keys",
        description =
                "Lists the account's keys: what they open, when they were last used; its commands make and revoke.",
        footer = "millrace keys")
final class KeysCommand implements Callable<Integer> {
    private final Session session;

    KeysCommand(Session session) {
        this.session = session;
    }

    @Override
    public Integer call() throws CliException, InterruptedException {
        JsonNode answer = session.api().get(Target.batch("keys")).body();
        if (session.json()) {
            session.print(answer);
            return ExitCodes.DONE;
        }
        var table = new Table("key", "state", "label", "opens", "last used (UTC)", "expires (UTC)", "made (UTC)");
        for (JsonNode key : answer.path("keys")) {
            table.row(
                    Json.text(key, "id") + (key.path("current").asBoolean() ? " (this one)" : ""),
                    state(key),
                    Json.text(key, "label"),
                    key.has("scopes") ? scopes(key) : "capabilities",
                    Words.time(key.path("last_used_at")),
                    Words.time(key.path("expires_at")),
                    Words.time(key.path("issued_at")));
        }
        session.print(table);
        return ExitCodes.DONE;
    }

    @Command(
            description = "Makes a batch key and prints it, once.",
            footer = "millrace keys create --label 'nightly jobs' --scopes read,request --expires 2027-01-31")
    int create(
            @Option(names = "--label", paramLabel = "<text>", description = "What it is for.") @Nullable String label,
            @Option(
                            names = "--scopes",
                            split = ",",
                            paramLabel = "<scope>,…",
                            description = "What it opens, of read, request and webhooks; all if not given.")
                    @Nullable
                    List<String> scopes,
            @Option(
                            names = "--expires",
                            paramLabel = "<time>",
                            description = "When it ends: an instant like 2027-01-31T12:00:00Z, or a day, which is its"
                                    + " begin in UTC; with the key in use if not given.")
                    @Nullable
                    String expires)
            throws CliException, InterruptedException {
        ObjectNode body = Json.object();
        if (label != null) {
            body.put("label", label);
        }
        if (scopes != null) {
            ArrayNode wanted = body.putArray("scopes");
            scopes.forEach(wanted::add);
        }
        if (expires != null) {
            body.put("expires_at", TypedTime.instant(expires));
        }
        JsonNode answer = session.api().post(Target.batch("keys"), body).body();
        int done = session.print(answer, Json.text(answer, "key"));
        session.checkOutput("nobody has seen the new key; revoke it, and make another one: millrace keys revoke "
                + Json.text(answer, "id"));
        if (!session.json()) {
            session.say(Json.text(answer, "id") + " opens " + scopes(answer)
                    + (answer.has("expires_at") ? " until " + Words.time(answer.path("expires_at")) + " UTC" : "")
                    + "; the key is shown this once");
        }
        return done;
    }

    @Command(
            description = "Revokes a key, which opens nothing from then on; its id is in the list.",
            footer = "millrace keys revoke key_0a1b2c3d4e5f")
    int revoke(@Parameters(paramLabel = "<key id>") String id) throws CliException, InterruptedException {
        JsonNode answer = session.api().delete(Target.batch("keys", id)).body();
        return session.print(answer, Json.text(answer, "id") + " is revoked");
    }

    private static String scopes(JsonNode key) {
        return String.join(", ", Json.texts(key.path("scopes")));
    }

    private static String state(JsonNode key) {
        if (key.has("revoked_at")) {
            return "revoked";
        }
        try {
            return key.has("expires_at")
                            && !Instant.parse(Json.text(key, "expires_at")).isAfter(Instant.now())
                    ? "expired"
                    : "active";
        } catch (DateTimeParseException e) {
            return "active";
        }
    }
}
