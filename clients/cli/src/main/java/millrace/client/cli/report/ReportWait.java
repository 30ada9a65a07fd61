package millrace.client.cli.report;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.client.Waiting;
import java.time.Duration;
import java.util.Map;
import millrace.client.cli.api.Answer;
import millrace.client.cli.api.Api;
import millrace.client.cli.api.Target;
import millrace.client.cli.output.Json;
import millrace.client.cli.output.Progress;
import millrace.client.cli.output.Words;
import millrace.client.cli.session.ExitCodes;
import millrace.runtime.cli.CliException;
import millrace.runtime.cli.TerminalText;

/** Waits until a report has ended, and asks as seldom as the service wants to be asked. */
final class ReportWait {
    /** The shortest pause, even if the service asks for less. */
    private static final Duration SHORTEST = Duration.ofSeconds(1);

    /** Seconds for which the service may hold an answer. The time that is shown stands still meanwhile. */
    private static final int HOLD = 5;

    private static final String UNSUCCESSFUL = "internal_error";

    private final Api api;
    private final Waiting waiting;
    private final Progress progress;

    ReportWait(Api api, Waiting waiting, Progress progress) {
        this.api = api;
        this.waiting = waiting;
        this.progress = progress;
    }

    /**
     * The status of a complete report.
     *
     * @throws CliException if it failed, or was cancelled
     */
    JsonNode complete(String report) throws CliException, InterruptedException {
        long began = waiting.nanoTime();
        int hold = 1; // of the first answer, so that something is shown soon
        while (true) {
            // Older services ignore it.
            Map<String, String> prefer = Map.of("Prefer", "wait=" + hold);
            Answer answer = api.get(Target.batch("request-status", report), prefer);
            JsonNode status = answer.body();
            // Keys of the earlier API get the word completed.
            if (Json.text(status, "status").startsWith("complete")) {
                return status;
            }
            if (Json.text(status, "status").equals(UNSUCCESSFUL)) {
                throw unsuccessful(report, status);
            }
            String phase = Json.text(status, "phase");
            progress.show(
                    phase.isEmpty() ? Json.text(status, "status") : phase,
                    status.path("progress").asDouble(-1),
                    since(began));
            if (!answer.held()) {
                Duration asked = answer.retryAfter();
                waiting.pause(asked == null || asked.compareTo(SHORTEST) < 0 ? SHORTEST : asked);
            }
            hold = HOLD;
        }
    }

    /** Nothing in the first second. */
    private String since(long began) {
        long seconds = Duration.ofNanos(waiting.nanoTime() - began).toSeconds();
        return seconds == 0 ? "" : Words.duration(Duration.ofSeconds(seconds));
    }

    private static CliException unsuccessful(String report, JsonNode status) {
        JsonNode error = status.path("error");
        String code = Json.text(error, "code");
        String became = Json.text(status, "outcome").equals("cancelled")
                ? " was cancelled"
                : " failed: " + TerminalText.escaped(Json.text(error, "message"))
                        + (code.isEmpty() ? "" : " (" + code + ")");
        String sentence = "report " + report + became + "; it costs nothing";
        return new CliException(
                ExitCodes.REPORT_FAILED,
                error.path("retryable").asBoolean()
                        ? sentence + "\nto start it again: millrace report retry " + report
                        : sentence);
    }
}
