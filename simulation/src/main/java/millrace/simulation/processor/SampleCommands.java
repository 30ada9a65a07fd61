package millrace.simulation.processor;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;
import millrace.contracts.accounts.PriceRule;
import millrace.contracts.accounts.Quote;
import millrace.contracts.commands.AccountCommand;
import millrace.contracts.requests.ApiDialect;
import millrace.contracts.requests.Granularity;
import millrace.contracts.requests.ReportQuery;
import millrace.contracts.requests.ReportRequest;

/** Sample commands, as the gateway sends them. */
public final class SampleCommands {
    private SampleCommands() {}

    /** The id of the report with this name. */
    public static UUID id(String name) {
        return UUID.nameUUIDFromBytes(name.getBytes(StandardCharsets.UTF_8));
    }

    public static AccountCommand.GrantCredits grant(String id, long credits) {
        return new AccountCommand.GrantCredits(id, credits, "bought");
    }

    /** The same request for so many files. */
    public static AccountCommand.RequestReport inParts(AccountCommand.RequestReport r, int parts) {
        var query = r.request().query().withSplit(new ReportQuery.Split(10_000, parts));
        return new AccountCommand.RequestReport(
                r.reportId(), r.request().withQuery(query), r.quote(), null, r.submittedAt(), r.traceparent());
    }

    /** A report that costs one credit per row and has a row per domain. */
    public static AccountCommand.RequestReport request(UUID id, int domains, Instant submittedAt) {
        var query = new ReportQuery(
                "demographics",
                IntStream.range(0, domains)
                        .mapToObj(i -> "e" + (10_000 + i) + ".example")
                        .toList(),
                List.of("DE"),
                List.of("demographics_share"),
                new ReportQuery.Dates(
                        Granularity.MONTHLY, LocalDate.parse("2026-09-01"), LocalDate.parse("2026-10-01")),
                Map.of(),
                false,
                null,
                ReportQuery.Output.CSV);
        return new AccountCommand.RequestReport(
                id,
                new ReportRequest(query, null, null, ApiDialect.V3),
                new Quote(domains, domains, PriceRule.PER_RESULT.countingRevealed(true)),
                null,
                submittedAt,
                "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01");
    }
}
