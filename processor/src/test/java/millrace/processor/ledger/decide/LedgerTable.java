package millrace.processor.ledger.decide;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.Collectors;
import millrace.contracts.accounts.VersionPrice;
import millrace.contracts.commands.AccountCommand;
import millrace.contracts.commands.SliceRef;
import millrace.contracts.reports.ErrorCode;
import millrace.contracts.reports.ReportStatus;
import millrace.contracts.reports.ResultCounts;
import millrace.processor.ledger.decide.Ledger.Verdict;

/**
 * Runs a table of commands. Each line is {@code command -> facts | remaining reserved used}; {@code -} stands for no
 * facts. Reports have names, slices are {@code report/attempt/slice#dispatch} with {@code a} for assembly and {@code p0}
 * for the first part, and their
 * files {@code report/attempt/slice-dispatch}. Internal facts (tickets, claims, answers) are left out.
 */
final class LedgerTable {
    private final Ledger ledger = new Ledger(LedgerSamples.RULES);
    private final MemoryAccountReader reader = new MemoryAccountReader("acme");
    private final Map<UUID, String> names = new HashMap<>();
    private Instant now = LedgerSamples.NOON;

    static MemoryAccountReader play(String table) {
        var script = new LedgerTable();
        table.lines().filter(l -> !l.isBlank()).forEach(script::line);
        return script.reader;
    }

    private void line(String line) {
        String[] parts = line.split("->|\\|", -1);
        String what;
        try {
            what = run(parts[0].strip().split(" +"));
        } catch (IllegalStateException | ArithmeticException e) {
            what = "throws";
        }
        assertThat(what).as(line).isEqualTo(parts[1].strip());
        if (parts.length > 2) {
            Balance b = reader.account.balance();
            assertThat(b.remaining() + " " + b.reserved() + " " + b.used())
                    .as(line)
                    .isEqualTo(parts[2].strip().replaceAll(" +", " "));
        }
    }

    private String run(String[] words) {
        return switch (words[0]) {
            case "wait" -> tick(Duration.parse(words[1]));
            case "delete" -> {
                reader.earlierVersions.remove(words[1]);
                yield "-";
            }
            case "data" -> {
                reader.earlierVersions.add(String.valueOf(reader.dataVersion));
                reader.dataVersion = words[1].equals("none") ? null : words[1];
                yield "-";
            }
            default -> decide(command(words));
        };
    }

    private AccountCommand command(String[] w) {
        return switch (w[0]) {
            case "grant" -> new AccountCommand.GrantCredits(w[1], Long.parseLong(w[2]), "bought");
            case "expire" -> new AccountCommand.ExpireCredits(w[1], Long.parseLong(w[2]), "over");
            case "request" -> request(w);
            case "retry" -> new AccountCommand.RetryReport(id(w[1]), Integer.parseInt(w[2]));
            case "cancel" -> new AccountCommand.CancelReport(id(w[1]));
            case "erase" -> new AccountCommand.EraseReport(id(w[1]));
            case "running" -> new AccountCommand.SliceRunning(slice(w[1]), 1);
            case "done" -> {
                long results = number(w, "results", 1);
                yield new AccountCommand.SliceDone(
                        slice(w[1]),
                        LedgerSamples.file(slice(w[1])),
                        new ResultCounts(number(w, "rows", results), results, number(w, "revealed", 0)),
                        number(w, "skipped", 0));
            }
            case "failed" ->
                new AccountCommand.SliceFailed(slice(w[1]), ErrorCode.valueOf(w[2].toUpperCase(Locale.ROOT)), "broken");
            case "hopeless" ->
                new AccountCommand.SliceFailed(
                        slice(w[1]), ErrorCode.valueOf(w[2].toUpperCase(Locale.ROOT)), "broken", true);
            case "assembled" -> new AccountCommand.Assembled(slice(w[1]), LedgerSamples.file(slice(w[1])));
            default -> throw new IllegalArgumentException(w[0]);
        };
    }

    private AccountCommand request(String[] w) {
        long limit = number(w, "limit", 0);
        var request = LedgerSamples.request(
                id(w[1]),
                number(w, "credits", 10),
                number(w, "rows", 1),
                (int) number(w, "entities", 1),
                limit == 0 ? null : (int) limit);
        long most = number(w, "max", 0);
        if (most > 0) {
            request = LedgerSamples.withMaxCredits(request, most);
        }
        for (String word : w) {
            if (word.startsWith("in-v") || word.startsWith("quoted-v")) {
                String[] price = word.substring(word.indexOf('v')).split("=", -1);
                Boolean pinned = word.startsWith("quoted") ? true : null;
                return LedgerSamples.costingIn(request, new VersionPrice(price[0], Long.parseLong(price[1]), pinned));
            }
        }
        int parts = (int) number(w, "parts", 0);
        if (parts > 0) {
            return LedgerSamples.inParts(request, parts);
        }
        int offset = (int) number(w, "offset", 0);
        if (offset > 0) {
            return LedgerSamples.withOffset(request, offset);
        }
        int keep = (int) number(w, "keep", 0);
        if (keep > 0) {
            return LedgerSamples.keptFor(request, keep);
        }
        int history = (int) number(w, "history", 0);
        if (history > 0) {
            return LedgerSamples.knownFor(request, history);
        }
        for (String word : w) {
            if (word.startsWith("key=")) {
                String[] key = word.substring(4).split("/", -1);
                return LedgerSamples.withKey(request, key[0], key[1]);
            }
        }
        return request;
    }

    private String decide(AccountCommand command) {
        var changes = new PendingChanges(reader, now);
        Verdict verdict = ledger.decide(changes, command);
        ledger.turns(changes);
        return switch (verdict) {
            case Verdict.Taken() -> saved(changes);
            case Verdict.Refused(String reason) -> "refused";
        };
    }

    /** Lets time pass in one step, then does what is due, reports in the order of their names. */
    private String tick(Duration time) {
        now = now.plus(time);
        List<String> facts = new ArrayList<>();
        var account = new PendingChanges(reader, now);
        ledger.tick(account);
        facts.add(saved(account));
        names.entrySet().stream().sorted(Map.Entry.comparingByValue()).forEach(report -> {
            var changes = new PendingChanges(reader, now);
            ledger.tick(changes, report.getKey());
            ledger.turns(changes);
            facts.add(saved(changes));
        });
        facts.removeIf(none -> none.equals("-"));
        return facts.isEmpty() ? "-" : String.join(", ", facts);
    }

    private String saved(PendingChanges changes) {
        reader.save(changes);
        String facts = changes.steps().stream()
                .map(s -> text(s.fact()))
                .filter(s -> !s.isEmpty())
                .collect(Collectors.joining(", "));
        return facts.isEmpty() ? "-" : facts;
    }

    private String text(Fact fact) {
        return switch (fact) {
            case Fact.Entered f -> f.kind().name().toLowerCase(Locale.ROOT) + " " + f.amount();
            case Fact.Quoted f -> "quote " + f.quote().credits();
            case Fact.Started f -> "processing " + name(f.reportId()) + " in " + f.slices();
            case Fact.Dispatched f -> "dispatch " + name(f.task().slice());
            case Fact.Renewed f -> "renewed " + name(f.reportId()) + "/" + f.slice();
            case Fact.Progressed f ->
                f.progress().phase().name().toLowerCase(Locale.ROOT) + " " + name(f.reportId()) + " "
                        + f.progress().fraction();
            case Fact.Completed f ->
                "complete " + name(f.reportId()) + " for " + f.result().usedQuota() + parts(f.result());
            case Fact.Failed f ->
                f.failure().code().name().toLowerCase(Locale.ROOT) + " " + name(f.reportId())
                        + (f.failure().retryable() ? "" : " for good");
            case Fact.Unneeded f ->
                "delete"
                        + f.files().stream()
                                .map(file -> " " + file.replace(f.reportId().toString(), name(f.reportId())))
                                .collect(Collectors.joining());
            case Fact.Erased f -> "erased " + name(f.reportId());
            case Fact.Forgotten f -> "forgotten " + name(f.reportId());
            case Fact.Granted f -> "";
            case Fact.Accepted f -> "";
            case Fact.Claimed f -> "";
            case Fact.Queued f -> "";
            case Fact.Called f -> "";
            case Fact.Answered f -> "";
            case Fact.Joined f -> "joined " + name(f.reportId()) + "/p" + f.part() + " of " + f.rows();
        };
    }

    /** The rows of each file. */
    private static String parts(ReportStatus.Result result) {
        return result.parts() == null
                ? ""
                : Objects.requireNonNull(result.parts().files()).stream()
                        .map(part -> Long.toString(part.rowCount()))
                        .collect(Collectors.joining(" and ", " in files of ", ""));
    }

    private UUID id(String name) {
        UUID id = LedgerSamples.id(name);
        names.put(id, name);
        return id;
    }

    private String name(UUID id) {
        return Objects.requireNonNull(names.get(id));
    }

    private String name(SliceRef s) {
        String slice =
                s.slice() == SliceRef.ASSEMBLY ? "a" : s.namesPart() ? "p" + s.part() : Integer.toString(s.slice());
        return name(s.reportId()) + "/" + s.attempt() + "/" + slice + "#" + s.dispatch();
    }

    private SliceRef slice(String text) {
        String[] p = text.split("[/#]", -1);
        int slice = p[2].equals("a")
                ? SliceRef.ASSEMBLY
                : p[2].startsWith("p") ? SliceRef.ofPart(Integer.parseInt(p[2].substring(1))) : Integer.parseInt(p[2]);
        return new SliceRef(id(p[0]), Integer.parseInt(p[1]), slice, Integer.parseInt(p[3]));
    }

    private static long number(String[] words, String name, long otherwise) {
        return List.of(words).stream()
                .filter(w -> w.startsWith(name + "="))
                .mapToLong(w -> Long.parseLong(w.substring(name.length() + 1)))
                .findFirst()
                .orElse(otherwise);
    }
}
