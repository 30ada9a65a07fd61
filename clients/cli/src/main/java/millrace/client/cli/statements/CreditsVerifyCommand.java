package millrace.client.cli.statements;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.client.MillraceException.ServiceException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.YearMonth;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import millrace.client.cli.api.Api;
import millrace.client.cli.api.Session;
import millrace.client.cli.api.Target;
import millrace.client.cli.output.Json;
import millrace.client.cli.output.Words;
import millrace.client.cli.session.ExitCodes;
import millrace.client.cli.session.Failures;
import millrace.runtime.cli.CliException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code millrace credits verify}. */
@Command(
        name = "verify",
        description = {
            "Checks the ledger against signed statements, and names the first entry that does not fit.",
            "",
            "What is not given as a file is asked of the service; with --topic, --statements and --keys nobody is"
                    + " asked. Exit code 7 if something was changed."
        },
        footer = "millrace credits verify --from 2026-01\n"
                + "millrace credits verify --topic ledger.ndjson --statements kept.json --keys jwks.json")
public final class CreditsVerifyCommand implements Callable<Integer> {
    private static final int LARGEST_PAGE = 1000;
    private static final int NOT_FOUND = 404;
    private static final String MONTH = "[0-9]{4}-[0-9]{2}";
    /** If a clock was set, an entry may have a time before the month of its statement. */
    private static final int SLACK_DAYS = 31;

    @Option(
            names = "--from",
            paramLabel = "<month>",
            description = "The first statement, like 2026-01; else the oldest.")
    private @Nullable String from;

    @Option(names = "--to", paramLabel = "<month>", description = "The last statement; else the newest.")
    private @Nullable String to;

    @Option(
            names = "--topic",
            paramLabel = "<file>",
            description = "Entries as the topic of the ledger has them, one record after the other, oldest first.")
    private @Nullable Path topic;

    @Option(
            names = "--reports",
            paramLabel = "<file>",
            description = "Records of the topic of statuses: prices are checked, and the sums by tag.")
    private @Nullable Path reportsFile;

    @Option(
            names = "--prices",
            description = "Ask for the receipt of each report that was charged, and check its price.")
    private boolean prices;

    @Option(
            names = "--statements",
            paramLabel = "<file>",
            description = "Statements that were kept, as the service answered them, one after the other.")
    private @Nullable Path statementsFile;

    @Option(
            names = "--keys",
            paramLabel = "<file>",
            description = "Public keys that were kept, of /.well-known/jwks.json.")
    private @Nullable Path keysFile;

    private final Session session;
    private @Nullable Api api;

    public CreditsVerifyCommand(Session session) {
        this.session = session;
    }

    @Override
    public Integer call() throws CliException, InterruptedException {
        requireMonth(from);
        requireMonth(to);
        var keys = new SigningKeys(
                keysFile == null
                        ? api().get(new Target("/.well-known/jwks.json")).body()
                        : only(keysFile));
        List<JsonNode> statements = new ArrayList<>();
        for (JsonNode signed : signedStatements()) {
            String what = "the statement of " + Json.text(signed.path("statement"), "month");
            statements.add(keys.content(signed, "statement", what));
        }
        statements.removeIf(this::isOutside);
        if (statements.isEmpty()) {
            throw new CliException(ExitCodes.REFUSED, "there is no statement of these months");
        }
        statements.sort(Comparator.comparing(statement -> Json.text(statement, "month")));
        String account = Json.text(statements.getFirst(), "account_id");
        if (statements.stream().anyMatch(s -> !Json.text(s, "account_id").equals(account))) {
            throw new CliException(ExitCodes.USAGE, "the statements are of several accounts: check one at a time");
        }
        var check = new LedgerCheck(statements, reports(keys));
        if (topic == null) {
            fromService(check, statements.getFirst());
        } else {
            fromTopic(check, topic, account);
        }
        check.end();
        tell(check, statements, account);
        return ExitCodes.DONE;
    }

    private static void requireMonth(@Nullable String month) throws CliException {
        if (month != null && !month.matches(MONTH)) {
            throw new CliException(ExitCodes.USAGE, "a month is like 2026-01, and not: " + month);
        }
    }

    private List<JsonNode> signedStatements() throws CliException, InterruptedException {
        List<JsonNode> signed = new ArrayList<>();
        if (statementsFile != null) {
            each(statementsFile, signed::add);
            return signed;
        }
        for (JsonNode summary :
                api().get(Target.batch("credits", "statements")).body().path("statements")) {
            if (!isOutside(summary)) {
                signed.add(api().get(Target.batch("credits", "statements", Json.text(summary, "month")))
                        .body());
            }
        }
        return signed;
    }

    /** Opened when it is first asked: with files of all nobody is. */
    private Api api() throws CliException {
        Api opened = api == null ? session.api() : api;
        api = opened;
        return opened;
    }

    private boolean isOutside(JsonNode statement) {
        String month = Json.text(statement, "month");
        return (from != null && month.compareTo(from) < 0) || (to != null && month.compareTo(to) > 0);
    }

    private ReportFacts.Source reports(SigningKeys keys) throws CliException, InterruptedException {
        if (reportsFile != null) {
            Map<String, ReportFacts> known = new HashMap<>();
            each(reportsFile, report -> known.put(Json.text(report, "report_id"), ReportFacts.of(report)));
            return known::get;
        }
        if (!prices) {
            return id -> null;
        }
        return id -> {
            try {
                JsonNode signed =
                        api().get(Target.batch("credits", "receipts", id)).body();
                return ReportFacts.of(keys.content(signed, "receipt", "the receipt of report " + id));
            } catch (CliException e) {
                if (e.getCause() instanceof ServiceException refused && refused.status() == NOT_FOUND) {
                    return null; // forgotten
                }
                throw e;
            }
        };
    }

    private static void fromTopic(LedgerCheck check, Path file, String account)
            throws CliException, InterruptedException {
        each(file, entry -> {
            boolean before = check.entries() == 0 && entry.path("sequence").asLong() < check.first();
            if (Json.text(entry, "account_id").equals(account) && !before) {
                check.entry(entry, null);
            }
        });
    }

    /** The service tells the newest entries first: pages are kept, packed, and read from the last one on. */
    private void fromService(LedgerCheck check, JsonNode oldest) throws CliException, InterruptedException {
        String account = Json.text(oldest, "account_id");
        String begin = begin(Json.text(oldest, "month"));
        List<byte[]> pages = new ArrayList<>();
        String cursor = null;
        do {
            JsonNode page = api().get(Target.batch("credits", "entries")
                            .with("from", begin)
                            .with("limit", LARGEST_PAGE)
                            .with("cursor", cursor))
                    .body();
            pages.add(packed(page.path("entries")));
            cursor = page.hasNonNull("next_cursor") ? Json.text(page, "next_cursor") : null;
        } while (cursor != null);
        for (byte[] page : pages.reversed()) {
            JsonNode entries = unpacked(page);
            for (int i = entries.size() - 1; i >= 0; i--) {
                if (entries.get(i).path("sequence").asLong() >= check.first()) {
                    ObjectNode entry = entries.get(i).deepCopy();
                    String dataset = entry.hasNonNull("dataset") ? Json.text(entry, "dataset") : null;
                    entry.remove("dataset");
                    check.entry(entry.put("account_id", account), dataset);
                }
            }
        }
    }

    private static String begin(String month) throws CliException {
        try {
            return YearMonth.parse(month).atDay(1).minusDays(SLACK_DAYS).toString();
        } catch (DateTimeParseException e) {
            throw new CliException(ExitCodes.ALTERED, "a statement has no month");
        }
    }

    private static byte[] packed(JsonNode entries) throws CliException {
        var bytes = new ByteArrayOutputStream();
        try (OutputStream out = new GZIPOutputStream(bytes)) {
            out.write(entries.toString().getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new CliException(ExitCodes.LOCAL, "entries cannot be kept: " + Failures.reason(e));
        }
        return bytes.toByteArray();
    }

    private static JsonNode unpacked(byte[] page) throws CliException {
        try (InputStream in = new GZIPInputStream(new ByteArrayInputStream(page))) {
            return Json.read(new String(in.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new CliException(ExitCodes.LOCAL, "entries cannot be kept: " + Failures.reason(e));
        }
    }

    /** Takes the values of a file. */
    private interface Taking {
        void value(JsonNode value) throws CliException, InterruptedException;
    }

    private static void each(Path file, Taking taking) throws CliException, InterruptedException {
        try (InputStream in = Files.newInputStream(file);
                MappingIterator<JsonNode> values = Json.values(in)) {
            while (values.hasNextValue()) {
                taking.value(values.nextValue());
            }
        } catch (JsonProcessingException e) {
            throw new CliException(
                    ExitCodes.LOCAL,
                    file + " has no JSON in line "
                            + (e.getLocation() == null ? "?" : e.getLocation().getLineNr()) + ": "
                            + e.getOriginalMessage());
        } catch (IOException e) {
            throw new CliException(ExitCodes.LOCAL, file + " cannot be read: " + Failures.reason(e));
        }
    }

    private static JsonNode only(Path file) throws CliException, InterruptedException {
        List<JsonNode> values = new ArrayList<>();
        each(file, values::add);
        return values.isEmpty() ? Json.object() : values.getFirst();
    }

    private void tell(LedgerCheck check, List<JsonNode> statements, String account) {
        long unstated = check.entries() - check.stated();
        if (session.json()) {
            session.print(Json.object()
                    .put("valid", true)
                    .put("account_id", account)
                    .put("statements", statements.size())
                    .put("entries", check.stated())
                    .put("entries_without_statement", unstated)
                    .put("prices", check.priced())
                    .put("prices_not_known", check.unpriced()));
            return;
        }
        session.print("valid: " + Words.count(statements.size(), "statement") + " of " + account + ", "
                + Json.text(statements.getFirst(), "month") + " to " + Json.text(statements.getLast(), "month") + ", "
                + Words.number(check.stated()) + " entries");
        if (unstated > 0) {
            session.say(
                    "entries in none of these statements: " + Words.number(unstated) + "; their balances are right");
        }
        session.say(
                check.priced() == 0 && check.unpriced() > 0
                        ? "prices were not checked: --prices or --reports does"
                        : "prices checked: " + Words.number(check.priced()) + ", not known: "
                                + Words.number(check.unpriced()));
    }
}
