package millrace.client.cli.report;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import millrace.client.cli.api.Api;
import millrace.client.cli.api.Target;
import millrace.client.cli.output.Json;
import millrace.client.cli.output.Words;
import millrace.client.cli.session.ExitCodes;
import millrace.runtime.cli.CliException;
import millrace.runtime.cli.TerminalText;
import millrace.runtime.cli.TypedNames;
import picocli.CommandLine.Model.CommandSpec;

/**
 * What the service says of a request before it costs anything.
 *
 * @param json its answer
 */
record Estimate(JsonNode json) {

    static Estimate of(Api api, String dataset, ObjectNode body) throws CliException, InterruptedException {
        return new Estimate(api.postSafely(Target.batch(dataset, "request-validate"), body, Map.of())
                .body());
    }

    /** @throws CliException with a sentence for each mistake */
    void check() throws CliException {
        if (!json.path("is_valid").asBoolean()) {
            List<String> errors = new ArrayList<>();
            json.path("errors").forEach(error -> errors.add(TerminalText.escaped(error.asText())));
            throw new CliException(ExitCodes.REFUSED, String.join("\n", errors));
        }
    }

    String credits() {
        return "at most " + Words.count(json.path("estimated_credits").asLong(), "credit");
    }

    /** Until when the price holds, and how to get it; empty if the service promises none. */
    Optional<String> quote() {
        JsonNode quote = json.path("quote");
        return quote.isObject()
                ? Optional.of("the price holds until " + Words.time(quote.path("expires_at")) + " UTC, for the data "
                        + Json.text(quote, "data_version") + ", with report run … --quote="
                        + Json.text(quote, "token"))
                : Optional.empty();
    }

    List<String> warnings(CommandSpec command) {
        List<String> warnings = new ArrayList<>();
        json.path("warnings").forEach(warning -> warnings.add("warning: " + TypedNames.in(warning.asText(), command)));
        return warnings;
    }
}
