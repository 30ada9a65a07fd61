package millrace.simulation.ledger;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import millrace.contracts.commands.AccountCommand;
import millrace.contracts.commands.SliceRef;
import millrace.contracts.reports.ErrorCode;
import millrace.contracts.reports.ResultCounts;
import millrace.contracts.reports.StoredFile;
import millrace.contracts.requests.ApiDialect;
import millrace.contracts.requests.ReportRequest;
import millrace.contracts.topics.Topics;
import millrace.simulation.processor.SampleCommands;

/** Commands of two accounts, as records of the command topic. */
final class LedgerContractCommands {
    private final List<Command> commands = new ArrayList<>();

    /** A record of the command topic. */
    record Command(String account, String value) {
        byte[] bytes() {
            return value.getBytes(StandardCharsets.UTF_8);
        }
    }

    /** Reports that are rendered, cancelled, given up and retried, and a record that is not a command. */
    static List<Command> commands() {
        var script = new LedgerContractCommands();
        script.send("acme", SampleCommands.grant("opening-acme", 100));
        script.send("zenith", SampleCommands.grant("opening-zenith", 10));
        script.requestWithWebhook("acme", "small", 2);
        script.request("acme", "large", 7);
        script.request("zenith", "too dear", 11);
        script.commands.add(new Command("acme", "no command"));
        script.done("acme", "small", 0);
        script.done("acme", "large", 0);
        script.done("acme", "large", 0);
        script.request("acme", "cancelled", 3);
        script.send("acme", new AccountCommand.CancelReport(SampleCommands.id("cancelled")));
        script.done("acme", "large", 1);
        script.done("acme", "large", 2);
        script.send("acme", new AccountCommand.SliceRunning(slice("large", 3), 1));
        script.failed("acme", "large", 3);
        script.done("acme", "large", 3);
        script.send("acme", new AccountCommand.Assembled(slice("large", SliceRef.ASSEMBLY), file("large")));
        script.request("zenith", "hopeless", 1);
        script.send(
                "zenith", new AccountCommand.SliceFailed(slice("hopeless", 0), ErrorCode.RENDER_FAILED, "no", true));
        script.request("zenith", "last", 2);
        script.done("zenith", "last", 0);
        script.send("acme", new AccountCommand.EraseReport(SampleCommands.id("small")));
        script.send("acme", new AccountCommand.EraseReport(SampleCommands.id("cancelled")));
        script.send("zenith", new AccountCommand.ExpireCredits("year", 5, "over"));
        return List.copyOf(script.commands);
    }

    private void request(String account, String report, int domains) {
        send(account, SampleCommands.request(SampleCommands.id(report), domains, Instant.EPOCH));
    }

    private void requestWithWebhook(String account, String report, int domains) {
        AccountCommand.RequestReport r = SampleCommands.request(SampleCommands.id(report), domains, Instant.EPOCH);
        var request = new ReportRequest(r.request().query(), "https://hook.example/in", null, ApiDialect.V3);
        send(
                account,
                new AccountCommand.RequestReport(
                        r.reportId(), request, r.quote(), r.idempotency(), r.submittedAt(), r.traceparent()));
    }

    private void done(String account, String report, int slice) {
        send(
                account,
                new AccountCommand.SliceDone(slice(report, slice), file(report + slice), new ResultCounts(2, 2, 0)));
    }

    private void failed(String account, String report, int slice) {
        send(account, new AccountCommand.SliceFailed(slice(report, slice), ErrorCode.RENDER_FAILED, "once more"));
    }

    private void send(String account, AccountCommand command) {
        commands.add(new Command(account, new String(Topics.ACCOUNT_COMMANDS.encode(command), StandardCharsets.UTF_8)));
    }

    private static SliceRef slice(String report, int slice) {
        UUID id = SampleCommands.id(report);
        return new SliceRef(id, 1, slice, 1);
    }

    private static StoredFile file(String name) {
        return new StoredFile(name, 1, "00");
    }
}
