package millrace.client.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.concurrent.Callable;
import millrace.client.cli.api.Session;
import millrace.client.cli.api.Target;
import millrace.client.cli.output.Json;
import millrace.client.cli.session.ExitCodes;
import millrace.runtime.cli.CliException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code millrace entities}. */
@Command(
        name = "entities",
        description = "Lists domains or keywords that are in the data, one on each line. Free.",
        footer = "millrace entities keywords --prefix run")
final class EntitiesCommand implements Callable<Integer> {
    @Parameters(paramLabel = "<dataset>")
    private String dataset = "";

    @Option(names = "--prefix", paramLabel = "<text>", description = "How they begin; upper and lower case are one.")
    private @Nullable String prefix;

    @Option(names = "--limit", paramLabel = "<n>", description = "At most so many, up to 100 [20].")
    private @Nullable Integer limit;

    private final Session session;

    EntitiesCommand(Session session) {
        this.session = session;
    }

    @Override
    public Integer call() throws CliException, InterruptedException {
        JsonNode answer = session.api()
                .get(Target.batch("tables", dataset, "entities")
                        .with("prefix", prefix)
                        .with("limit", limit))
                .body();
        if (session.json()) {
            session.print(answer);
            return ExitCodes.DONE;
        }
        Json.texts(answer.path("entities")).forEach(session::print);
        if (answer.path("entities").isEmpty()) {
            session.say("none begin like that");
        } else if (answer.path("more").asBoolean()) {
            session.say("there are more: give a longer --prefix, or a --limit up to 100");
        }
        return ExitCodes.DONE;
    }
}
