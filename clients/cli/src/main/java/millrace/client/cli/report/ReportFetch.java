package millrace.client.cli.report;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import millrace.client.cli.api.Api;
import millrace.client.cli.api.Session;
import millrace.client.cli.output.Interruption;
import millrace.client.cli.output.Json;
import millrace.client.cli.output.Progress;
import millrace.client.cli.output.Words;
import millrace.client.cli.session.ExitCodes;
import millrace.client.cli.session.Failures;
import millrace.runtime.cli.CliException;
import millrace.runtime.cli.TypedNames;
import picocli.CommandLine.Model.CommandSpec;

/** Waits for a report, brings its file here, and says what it is. */
final class ReportFetch {
    private final Session session;
    private final OutputOptions output;
    private final CommandSpec command;

    /** @param command that was typed */
    ReportFetch(Session session, OutputOptions output, CommandSpec command) {
        this.session = session;
        this.output = output;
        this.command = command;
    }

    void fetch(String report) throws CliException, InterruptedException {
        String again = "millrace report download " + report + output.typed();
        try (Progress progress = session.progress();
                Interruption interruption = new Interruption(session.machine().err())) {
            interruption.next("The report goes on; to get its file: " + again);
            Api api = session.retryingApi(progress::say);
            JsonNode status;
            Path file;
            try {
                status = new ReportWait(api, session.waiting(), progress).complete(report);
                interruption.next("What has come is kept; to go on: " + again);
                file = PartList.has(status) ? downloadParts(api, status, progress) : download(api, status, progress);
            } catch (CliException e) {
                throw e.exitCode() == ExitCodes.UNAVAILABLE
                        ? new CliException(e.exitCode(), e.getMessage() + "\nto go on: " + again)
                        : e;
            }
            interruption.next(() -> null);
            progress.close();
            if (!output.standardOutput()) {
                say(status, file);
            }
        }
    }

    private Path download(Api api, JsonNode status, Progress progress) throws CliException, InterruptedException {
        var download = new Download(api, progress);
        if (output.standardOutput()) {
            download.to(status, new StreamOutput(session.out()));
            return Path.of("-");
        }
        Path given = output.file();
        Path named = given == null ? output.file(download.name(status)) : given;
        Path target = OutputFile.target(named, output.force());
        if (OutputFile.isDevice(target)) {
            toDevice(download, status, target);
            return named;
        }
        toFile(download, status, target);
        return named;
    }

    private void toFile(Download download, JsonNode status, Path target) throws CliException, InterruptedException {
        try (PartFile part = PartFile.open(target, Json.text(status, "sha256"))) {
            try {
                download.to(status, part);
            } catch (CliException e) {
                if (e.exitCode() == ExitCodes.ALTERED) {
                    part.discard();
                }
                throw e;
            }
            part.finish(output.force());
        }
    }

    /** Each file is whole or not there; those that an earlier download has brought are not asked for again. */
    private Path downloadParts(Api api, JsonNode status, Progress progress) throws CliException, InterruptedException {
        String report = Json.text(status, "report_id");
        if (output.standardOutput()) {
            throw new CliException(
                    ExitCodes.USAGE,
                    "report " + report + " has " + files(status) + ": -o names a folder for them, and not -");
        }
        List<JsonNode> files = PartList.of(api, status);
        String name = OutputFile.checked(Json.text(status, "dataset") + "-" + report);
        Path folder = OutputFile.folder(output.folder(name));
        var download = new Download(api, progress);
        for (JsonNode file : files) {
            Path named = folder.resolve(OutputFile.checked(Json.text(file, "name")));
            if (!OutputFile.has(named, file.path("file_size").asLong(), Json.text(file, "sha256"))) {
                toFile(download, file, OutputFile.target(named, output.force()));
            }
        }
        return folder;
    }

    private static String files(JsonNode status) {
        return Words.count(status.path("file_count").asLong(), "file");
    }

    private static void toDevice(Download download, JsonNode status, Path device)
            throws CliException, InterruptedException {
        try (var out = new PrintStream(
                Files.newOutputStream(device, StandardOpenOption.WRITE), false, StandardCharsets.UTF_8)) {
            download.to(status, new StreamOutput(out));
        } catch (IOException e) {
            throw new CliException(ExitCodes.LOCAL, device + " cannot be written: " + Failures.reason(e));
        }
    }

    private void say(JsonNode status, Path file) {
        if (session.json()) {
            ObjectNode all = status.deepCopy();
            all.put("file", file.toString());
            session.print(all);
        } else {
            session.print(file + "  " + (PartList.has(status) ? files(status) + ", " : "")
                    + Words.count(status.path("row_count").asLong(), "row") + ", "
                    + Words.size(status.path("file_size").asLong()) + ", "
                    + Words.count(status.path("used_quota").asLong(), "credit"));
        }
        status.path("warnings").forEach(warning -> session.say("warning: " + TypedNames.in(warning.asText(), command)));
    }
}
