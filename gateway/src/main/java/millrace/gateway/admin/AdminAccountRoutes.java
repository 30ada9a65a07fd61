package millrace.gateway.admin;

import io.micronaut.context.annotation.Requires;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Delete;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Patch;
import io.micronaut.http.annotation.PathVariable;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.Put;
import java.io.InputStream;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;
import java.util.regex.Pattern;
import millrace.contracts.Hashes;
import millrace.contracts.accounts.AccountRecord;
import millrace.contracts.accounts.KeyScope;
import millrace.contracts.commands.AccountCommand;
import millrace.contracts.reports.Status;
import millrace.contracts.requests.ApiDialect;
import millrace.gateway.accounts.AccountWriter;
import millrace.gateway.accounts.NewSecrets;
import millrace.gateway.accounts.rules.AccountChange;
import millrace.gateway.api.keys.AccountChanges;
import millrace.gateway.api.keys.KeyFields;
import millrace.gateway.copy.database.PageScan;
import millrace.gateway.copy.reports.HistoryCursor;
import millrace.gateway.copy.reports.HistoryFilter;
import millrace.gateway.copy.reports.ReportView;
import millrace.gateway.problems.ProblemCode;
import millrace.gateway.server.BlockingRoutes;
import millrace.gateway.server.JsonResponses;
import millrace.gateway.server.QueryParameters;
import millrace.gateway.server.RefusedException;
import millrace.gateway.server.TakesParameters;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.jspecify.annotations.Nullable;

/** Shows accounts and changes them. */
@Controller("/admin/v1/accounts")
@Requires(beans = AdminKeys.class) // the public API has none
@BlockingRoutes
final class AdminAccountRoutes {
    private static final Pattern ID = Pattern.compile("[A-Za-z0-9_-]{1,64}");
    private static final Pattern KIND = Pattern.compile("batch|rest");
    private static final Pattern DIALECT = Pattern.compile("v3|original");
    /** Not those that the ledger, the accounts file and the calendar give. */
    private static final Pattern MOVE_ID = Pattern.compile("(?!opening|monthly-)[A-Za-z0-9_-]{1,128}");

    private static final int MOST_LISTED = 1000;
    private static final int MOST_PER_SECOND = 1_000_000;
    private static final Duration OVERLAP = Duration.ofHours(24);
    private static final Duration LONGEST_OVERLAP = Duration.ofDays(30);

    private final AdminDependencies parts;
    private final AccountChanges changes;
    private final BookedMoves moves;

    AdminAccountRoutes(AdminDependencies parts) {
        this.parts = parts;
        this.changes = new AccountChanges(parts.writer());
        this.moves = new BookedMoves(parts);
    }

    /** @param nextCursor absent on the last page */
    private record Listed(
            List<AccountAnswer> accounts, @Nullable String nextCursor) {}

    private record NewAccount(AccountAnswer account, String webhookSecret) {}

    private record NewKey(String key, AccountAnswer.Key details) {}

    private record NewSecret(String id, String secret, List<AccountAnswer.Secret> webhookSecrets) {}

    @Get(headRoute = false)
    @TakesParameters({"search", "limit", "cursor"})
    HttpResponse<byte[]> list(HttpRequest<?> http) {
        List<String> errors = new ArrayList<>();
        // Without a limit it is all of them, as scripts expect it.
        int limit = QueryParameters.integer(http, "limit", 1, MOST_LISTED, Integer.MAX_VALUE, errors);
        Optional<String> after = QueryParameters.cursor(
                http, id -> ID.matcher(id).matches() ? Optional.of(id) : Optional.empty(), errors);
        RefusedException.ifAny(errors);
        String search = http.getParameters().get("search");
        String wanted = search == null ? "" : search.strip().toLowerCase(Locale.ROOT);
        List<AccountRecord> found = parts.accounts().records().stream()
                .filter(a -> after.isEmpty() || a.accountId().compareTo(after.get()) > 0)
                .filter(a -> a.accountId().toLowerCase(Locale.ROOT).contains(wanted)
                        || a.name().toLowerCase(Locale.ROOT).contains(wanted))
                .limit(limit + 1L)
                .toList();
        List<AccountRecord> shown = found.subList(0, Math.min(limit, found.size()));
        return JsonResponses.ok(new Listed(
                shown.stream().map(this::answer).toList(),
                found.size() > shown.size() ? shown.getLast().accountId() : null));
    }

    @Get(uri = "/{id}", headRoute = false)
    HttpResponse<byte[]> account(@PathVariable String id) {
        return parts.accounts()
                .record(id)
                .map(record -> JsonResponses.ok(answer(record)))
                .orElseGet(() -> JsonResponses.unknownAccount(id));
    }

    @Post
    HttpResponse<byte[]> create(HttpRequest<?> http, @Nullable @Body InputStream body) {
        Fields f = Fields.read(body);
        String id = f.text("id", ID, "1 to 64 letters, digits, - and _");
        String secret = NewSecrets.webhookSecret();
        String name = f.words("name");
        Long credits = f.optional("credits", field -> f.integer(field, 0, Fields.MOST_CREDITS));
        var change = new AccountChange.Create(
                name,
                credits == null ? 0 : credits,
                f.entitlements("entitlements"),
                null,
                f.optional("monthly_credits", field -> f.integer(field, 1, Fields.MOST_CREDITS)),
                NewSecrets.sealed(parts.box(), id, secret, parts.clock().instant()));
        return changed(http, id, f, change, record -> JsonResponses.created(new NewAccount(answer(record), secret)));
    }

    @Put("/{id}/name")
    HttpResponse<byte[]> rename(HttpRequest<?> http, @PathVariable String id, @Nullable @Body InputStream body) {
        return put(http, id, body, f -> new AccountChange.Rename(f.words("name")));
    }

    @Post("/{id}/suspend")
    HttpResponse<byte[]> suspend(HttpRequest<?> http, @PathVariable String id, @Nullable @Body InputStream body) {
        return put(http, id, body, f -> new AccountChange.Suspend());
    }

    @Post("/{id}/resume")
    HttpResponse<byte[]> resume(HttpRequest<?> http, @PathVariable String id, @Nullable @Body InputStream body) {
        return put(http, id, body, f -> new AccountChange.Resume());
    }

    /** What is open ends as usual; nobody can ask for it any more. */
    @Post("/{id}/close")
    HttpResponse<byte[]> close(HttpRequest<?> http, @PathVariable String id, @Nullable @Body InputStream body) {
        return parts.file().accounts().stream()
                        .anyMatch(declared -> declared.id().equals(id))
                ? JsonResponses.problem(
                        ProblemCode.CHANGE_REFUSED,
                        "Account " + id + " is in the accounts file: remove it there, and restart the gateways first.")
                : put(http, id, body, f -> new AccountChange.Close());
    }

    /** @param nextCursor absent on the last page */
    private record Erased(int erased, @Nullable String nextCursor) {}

    /**
     * Has the ledger erase a page of reports of a closed account, the newest ones first. Reports that are processing are
     * cancelled before. Done again from the beginning, it finds those that are left.
     */
    @Delete("/{id}/reports")
    @TakesParameters({"limit", "cursor"})
    HttpResponse<byte[]> eraseReports(HttpRequest<?> http, @PathVariable String id) throws InterruptedException {
        List<String> errors = new ArrayList<>();
        int limit = QueryParameters.integer(http, "limit", 1, MOST_LISTED, MOST_LISTED, errors);
        Optional<HistoryCursor> after = QueryParameters.cursor(http, HistoryCursor::parse, errors);
        RefusedException.ifAny(errors);
        Optional<AccountRecord> account = parts.accounts().record(id);
        if (account.isEmpty()) {
            return JsonResponses.unknownAccount(id);
        }
        if (account.get().closedAt() == null) {
            return JsonResponses.problem(
                    ProblemCode.CHANGE_REFUSED, "Account " + id + " is not closed; close it before its reports go.");
        }
        PageScan<ReportView> page = parts.model().history(id, after.orElse(null), HistoryFilter.ALL, limit + 1);
        List<CompletableFuture<RecordMetadata>> appended = new ArrayList<>();
        for (ReportView report : page.shown(limit)) {
            UUID reportId = report.cursor().reportId();
            if (report.word() == Status.PROCESSING) {
                appended.add(parts.commands().append(id, new AccountCommand.CancelReport(reportId)));
            }
            appended.add(parts.commands().append(id, new AccountCommand.EraseReport(reportId)));
        }
        try {
            CompletableFuture.allOf(appended.toArray(CompletableFuture[]::new)).get();
        } catch (ExecutionException e) {
            return JsonResponses.unavailable(
                    ProblemCode.OUTCOME_UNKNOWN,
                    "Kafka did not acknowledge in time; some of the reports may be erased: repeat it.");
        }
        ReportView last = page.last(limit);
        return JsonResponses.ok(new Erased(
                page.shown(limit).size(), last == null ? null : last.cursor().text()));
    }

    @Post("/{id}/keys")
    HttpResponse<byte[]> issueKey(HttpRequest<?> http, @PathVariable String id, @Nullable @Body InputStream body) {
        Fields f = Fields.read(body);
        String kind = f.text("kind", KIND, "batch or rest");
        String label = f.optional("label", f::words);
        String dialect = f.optional("dialect", name -> f.text(name, DIALECT, "v3 or original"));
        Instant now = parts.clock().instant();
        Instant expiresAt = f.optional(KeyFields.EXPIRES_AT, name -> f.timeAfter(name, now));
        Set<KeyScope> scopes = f.optional(KeyFields.SCOPES, name -> scopes(f, kind));
        String text = NewSecrets.key();
        String sha256 = Hashes.sha256(text);
        var key = new AccountRecord.Key(
                AccountRecord.Key.idOf(sha256),
                kind.equals("rest") ? AccountRecord.KeyKind.REST : AccountRecord.KeyKind.BATCH,
                sha256,
                dialect == null ? null : dialect.equals("original") ? ApiDialect.ORIGINAL : ApiDialect.V3,
                label,
                false,
                now,
                null,
                expiresAt,
                scopes);
        var change = new AccountChange.IssueKey(key);
        return changed(
                http,
                id,
                f,
                change,
                record -> JsonResponses.created(new NewKey(text, AccountAnswer.key(key, parts.uses(), now))));
    }

    private static Set<KeyScope> scopes(Fields f, String kind) {
        if (kind.equals("rest")) {
            f.error("scopes: a rest key has none, it reads capabilities only.");
        }
        return KeyFields.scopes(f);
    }

    @Patch("/{id}/keys/{key}")
    HttpResponse<byte[]> changeKey(
            HttpRequest<?> http, @PathVariable String id, @PathVariable String key, @Nullable @Body InputStream body) {
        return put(http, id, body, f -> KeyFields.change(key, f, parts.clock().instant()));
    }

    @Delete("/{id}/keys/{key}")
    @TakesParameters("reason")
    HttpResponse<byte[]> revokeKey(
            HttpRequest<?> http, @PathVariable String id, @PathVariable String key, @Nullable @Body InputStream body) {
        return put(http, id, body, f -> new AccountChange.RevokeKey(key));
    }

    @Post("/{id}/credits/grants")
    HttpResponse<byte[]> grant(HttpRequest<?> http, @PathVariable String id, @Nullable @Body InputStream body) {
        Fields f = Fields.read(body);
        long amount = f.integer("amount", 1, Fields.MOST_CREDITS);
        return moved(http, id, f, "grant_id", amount);
    }

    @Post("/{id}/credits/expiries")
    HttpResponse<byte[]> expire(HttpRequest<?> http, @PathVariable String id, @Nullable @Body InputStream body) {
        Fields f = Fields.read(body);
        long amount = f.amountOrAll("amount");
        return moved(http, id, f, "expiry_id", -amount);
    }

    private HttpResponse<byte[]> moved(HttpRequest<?> http, String id, Fields f, String field, long credits) {
        String accepted = "1 to 128 letters, digits, - and _, not beginning with opening or monthly-";
        String given = f.optional(field, n -> f.text(n, MOVE_ID, accepted));
        String moveId = given == null ? NewSecrets.id(field.replace("_id", "-")) : given;
        var change = new AccountChange.MoveCredits(new AccountRecord.Move(moveId, credits), given == null);
        return changed(http, id, f, change, record -> moves.booked(record.accountId(), change.move()));
    }

    @Put("/{id}/monthly-credits")
    HttpResponse<byte[]> monthly(HttpRequest<?> http, @PathVariable String id, @Nullable @Body InputStream body) {
        return put(http, id, body, f -> new AccountChange.SetMonthly(f.integer("amount", 1, Fields.MOST_CREDITS)));
    }

    @Delete("/{id}/monthly-credits")
    @TakesParameters("reason")
    HttpResponse<byte[]> endMonthly(HttpRequest<?> http, @PathVariable String id, @Nullable @Body InputStream body) {
        return put(http, id, body, f -> new AccountChange.SetMonthly(null));
    }

    @Put("/{id}/entitlements")
    @TakesParameters("reason")
    HttpResponse<byte[]> entitle(HttpRequest<?> http, @PathVariable String id, @Nullable @Body InputStream body) {
        return put(http, id, body, f -> new AccountChange.SetEntitlements(f.entitlements()));
    }

    @Put("/{id}/limits")
    HttpResponse<byte[]> limit(HttpRequest<?> http, @PathVariable String id, @Nullable @Body InputStream body) {
        return put(http, id, body, f -> {
            Long perSecond = f.optional("requests_per_second", name -> f.integer(name, 1, MOST_PER_SECOND));
            Long open = f.optional("open_reports", name -> f.integer(name, 1, MOST_PER_SECOND));
            Long history =
                    f.optional("history_days", name -> f.integer(name, 1, AccountRecord.Limits.MOST_HISTORY_DAYS));
            return new AccountChange.SetLimits(new AccountRecord.Limits(
                    perSecond == null ? null : perSecond.intValue(),
                    open == null ? null : open.intValue(),
                    history == null ? null : history.intValue()));
        });
    }

    @Post("/{id}/webhook-secrets")
    HttpResponse<byte[]> rotate(HttpRequest<?> http, @PathVariable String id, @Nullable @Body InputStream body) {
        Fields f = Fields.read(body);
        String secret = NewSecrets.webhookSecret();
        AccountRecord.Secret sealed =
                NewSecrets.sealed(parts.box(), id, secret, parts.clock().instant());
        var change = new AccountChange.RotateSecret(sealed, f.duration("overlap", OVERLAP, LONGEST_OVERLAP));
        return changed(
                http,
                id,
                f,
                change,
                record -> JsonResponses.created(
                        new NewSecret(sealed.id(), secret, answer(record).webhookSecrets())));
    }

    private HttpResponse<byte[]> put(
            HttpRequest<?> http, String id, @Nullable InputStream body, Function<Fields, AccountChange> change) {
        Fields f = Fields.read(body);
        return changed(http, id, f, change.apply(f), record -> JsonResponses.ok(answer(record)));
    }

    private HttpResponse<byte[]> changed(
            HttpRequest<?> http,
            String id,
            Fields f,
            AccountChange change,
            Function<AccountRecord, HttpResponse<byte[]>> answer) {
        String parameter = http.getParameters().get("reason");
        // An object of entitlements has no room for a reason.
        String field = change instanceof AccountChange.SetEntitlements ? null : f.optional("reason", f::words);
        String reason = parameter == null ? field : f.words("reason", parameter);
        RefusedException.ifAny(f.errors());
        Optional<HttpResponse<byte[]>> earlier = change instanceof AccountChange.MoveCredits c && !c.newId()
                ? moves.earlier(id, c.move())
                : Optional.empty();
        return earlier.orElseGet(() -> changes.make(
                AdminKeyFilter.actor(http), new AccountWriter.RequestedChange(id, change, reason), answer));
    }

    private AccountAnswer answer(AccountRecord record) {
        return AccountAnswer.of(
                record,
                parts.model().remaining(record.accountId()),
                parts.uses(),
                parts.clock().instant());
    }
}
