package millrace.gateway.admin;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.server.types.files.StreamedFile;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import millrace.contracts.accounts.AccountRecord;
import millrace.gateway.api.credits.ActivityAnswers;
import millrace.gateway.copy.activity.ActivityQueries.AccountUsage;
import millrace.gateway.copy.activity.ActivityQueries.UsagePlace;
import millrace.gateway.problems.ProblemCode;
import millrace.gateway.server.BlockingRoutes;
import millrace.gateway.server.JsonResponses;
import millrace.gateway.server.QueryParameters;
import millrace.gateway.server.RefusedException;
import millrace.gateway.server.TakesParameters;
import org.jspecify.annotations.Nullable;

/** Adds up what all accounts have used, by calendar month, UTC. */
@Controller("/admin/v1")
@Requires(beans = AdminKeys.class) // the public API has none
@BlockingRoutes
final class UsageRoutes {
    private static final int LIMIT = 100;
    private static final int MOST = 1000;
    /** As many as can have days that are kept. */
    private static final int MOST_MONTHS = 14;

    private static final int LONGEST_PLACE = 1_000;
    private static final Pattern MONTH = Pattern.compile("20[0-9]{2}-(0[1-9]|1[0-2])");
    private static final MediaType CSV = MediaType.of("text/csv; charset=utf-8");

    private final AdminDependencies parts;
    private final ActivityAnswers answers;

    UsageRoutes(AdminDependencies parts) {
        this.parts = parts;
        this.answers = new ActivityAnswers(parts.activity());
    }

    /**
     * @param name null where there is no such account any more
     * @param dataset null where Kafka does not know the reports any more
     */
    record Row(
            String accountId,
            @Nullable String name,
            @Nullable String dataset,
            long credits,
            long reports) {}

    private record Page(
            YearMonth month,
            List<Row> usage,
            @JsonInclude @Nullable String nextCursor) {}

    @Get(uri = "/usage", headRoute = false)
    @TakesParameters({"month", "limit", "cursor"})
    HttpResponse<byte[]> usage(HttpRequest<?> http) {
        List<String> errors = new ArrayList<>();
        YearMonth month = month(http, "month", errors);
        int limit = QueryParameters.integer(http, "limit", 1, MOST, LIMIT, errors);
        Optional<UsagePlace> after = QueryParameters.cursor(http, UsageRoutes::place, errors);
        RefusedException.ifAny(errors);
        int most = limit;
        return answers.answer(store -> {
            List<AccountUsage> found = store.usageOfAll(first(month), last(month), after.orElse(null), most + 1);
            List<AccountUsage> shown = found.subList(0, Math.min(most, found.size()));
            return new Page(
                    month,
                    shown.stream().map(this::row).toList(),
                    found.size() > most ? cursor(shown.getLast().place()) : null);
        });
    }

    /** A file, which is written while it is read, so that no number of accounts is too large for it. */
    @Get(uri = "/usage.csv", headRoute = false)
    @TakesParameters({"from", "to"})
    HttpResponse<?> usageCsv(HttpRequest<?> http) {
        List<String> errors = new ArrayList<>();
        YearMonth to = month(http, "to", errors);
        YearMonth from = http.getParameters().contains("from") ? month(http, "from", errors) : to;
        if (to.isBefore(from)) {
            errors.add("to: must not be before from.");
        } else if (ChronoUnit.MONTHS.between(from, to) >= MOST_MONTHS) {
            errors.add("from: must be at most " + MOST_MONTHS + " months before the end of to.");
        }
        RefusedException.ifAny(errors);
        Optional<String> unavailable = parts.activity().unavailable();
        if (unavailable.isPresent()) {
            return JsonResponses.unavailable(ProblemCode.GATEWAY_STARTING, unavailable.get());
        }
        var csv = new UsageCsv(from, to, (month, after, most) -> parts.activity()
                .ask(store -> store.usageOfAll(first(month), last(month), after, most).stream()
                        .map(used -> new UsageCsv.Line(used.place(), row(used)))
                        .toList()));
        String name = from.equals(to) ? "usage-" + from : "usage-" + from + "-to-" + to;
        return HttpResponse.ok(new StreamedFile(csv, CSV))
                .contentType(CSV)
                .header(HttpHeaders.CONTENT_DISPOSITION, "attachment; filename=\"" + name + ".csv\"");
    }

    private Row row(AccountUsage usage) {
        return new Row(
                usage.accountId(),
                parts.accounts()
                        .record(usage.accountId())
                        .map(AccountRecord::name)
                        .orElse(null),
                usage.dataset(),
                usage.used().credits(),
                usage.used().reports());
    }

    /** This month where the parameter is missing. */
    private YearMonth month(HttpRequest<?> http, String name, List<String> errors) {
        return QueryParameters.parsed(http, name, UsageRoutes::month, "must be a month like 2026-11.", errors)
                .orElseGet(
                        () -> YearMonth.from(LocalDate.ofInstant(parts.clock().instant(), ZoneOffset.UTC)));
    }

    private static Optional<YearMonth> month(String text) {
        return MONTH.matcher(text).matches() ? Optional.of(YearMonth.parse(text)) : Optional.empty();
    }

    private static int first(YearMonth month) {
        return Math.toIntExact(month.atDay(1).toEpochDay());
    }

    private static int last(YearMonth month) {
        return Math.toIntExact(month.atEndOfMonth().toEpochDay());
    }

    private static String cursor(UsagePlace place) {
        byte[] text = (place.accountId() + " " + place.dataset()).getBytes(StandardCharsets.UTF_8);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(text);
    }

    private static Optional<UsagePlace> place(String cursor) {
        try {
            String text = new String(Base64.getUrlDecoder().decode(cursor), StandardCharsets.UTF_8);
            int space = text.indexOf(' ');
            return space < 1 || text.length() > LONGEST_PLACE
                    ? Optional.empty()
                    : Optional.of(new UsagePlace(text.substring(0, space), text.substring(space + 1)));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }
}
