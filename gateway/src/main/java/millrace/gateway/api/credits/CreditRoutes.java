package millrace.gateway.api.credits;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import millrace.contracts.accounts.AccountState;
import millrace.contracts.accounts.KeyScope;
import millrace.gateway.access.ApiKeyFilter;
import millrace.gateway.access.RequiredScopes;
import millrace.gateway.copy.activity.ActivityQueries;
import millrace.gateway.copy.activity.ActivityQueries.EntryPlace;
import millrace.gateway.copy.reports.ReadModel;
import millrace.gateway.server.BlockingRoutes;
import millrace.gateway.server.QueryParameters;
import millrace.gateway.server.RefusedException;
import millrace.gateway.server.TakesParameters;
import org.jspecify.annotations.Nullable;

/** Lists an account's ledger entries, and adds up what it has used. */
@Controller("/v3/batch/credits")
@BlockingRoutes
final class CreditRoutes {
    private final ActivityAnswers answers;
    private final ReadModel model;
    private final InstantSource clock;

    CreditRoutes(ActivityAnswers answers, ReadModel model, InstantSource clock) {
        this.answers = answers;
        this.model = model;
        this.clock = clock;
    }

    /** @param nextCursor null on the last page */
    private record Page(
            List<EntryResponse> entries,
            @JsonInclude @Nullable String nextCursor) {}

    @Get("/entries")
    @RequiredScopes(KeyScope.READ)
    @TakesParameters({"from", "to", "limit", "cursor"})
    HttpResponse<byte[]> entries(HttpRequest<?> http) throws InterruptedException {
        List<String> errors = new ArrayList<>();
        EntrySelection selection = EntrySelection.of(http, errors);
        RefusedException.ifAny(errors);
        return withBalance(http, account -> store -> page(store, account, selection));
    }

    private static Page page(ActivityQueries store, String account, EntrySelection selection) {
        List<ActivityQueries.Entry> found =
                store.entries(account, selection.from(), selection.to(), selection.after(), selection.limit() + 1);
        List<ActivityQueries.Entry> shown = found.subList(0, Math.min(selection.limit(), found.size()));
        return new Page(
                shown.stream().map(EntryResponse::of).toList(),
                found.size() > shown.size()
                        ? EntrySelection.cursor(
                                ActivityQueries.place(shown.getLast().entry()))
                        : null);
    }

    @Get("/usage")
    @RequiredScopes(KeyScope.READ)
    @TakesParameters(
            value = {"from", "to"},
            lists = "group_by")
    HttpResponse<byte[]> usage(HttpRequest<?> http) throws InterruptedException {
        List<String> errors = new ArrayList<>();
        UsageGroups groups = UsageGroups.of(http, errors);
        DayRange days = DayRange.of(http, clock.instant(), errors);
        RefusedException.ifAny(errors);
        return withBalance(http, account -> store -> {
            DayRange kept = days.notBefore(store.kept().firstOfLedger());
            return groups.answer(kept, store, account);
        });
    }

    /** Answers with what the balance already has, which clients may have seen. */
    private HttpResponse<byte[]> withBalance(
            HttpRequest<?> http, Function<String, Function<ActivityQueries, Object>> question)
            throws InterruptedException {
        String account = ApiKeyFilter.caller(http).accountId();
        long sequence = model.balance(account).map(AccountState::ledgerSequence).orElse(0L);
        return answers.answerOnce(store -> store.lastEntry(account) >= sequence, question.apply(account));
    }

    /**
     * The ledger entries that a client asks for.
     *
     * @param from inclusive
     * @param to exclusive
     * @param after where the page before ended; null for the newest
     */
    private record EntrySelection(
            Instant from, Instant to, @Nullable EntryPlace after, int limit) {
        private static final int LIMIT = 100;
        private static final int MOST = 1000;
        private static final int CURSOR_BYTES = Integer.BYTES + Long.BYTES;

        /** Parses the query; adds a sentence for each parameter that is wrong. */
        static EntrySelection of(HttpRequest<?> http, List<String> errors) {
            Instant from = QueryParameters.beginning(http, "from", errors).orElse(Instant.MIN);
            Instant to = QueryParameters.end(http, "to", errors).orElse(Instant.MAX);
            int limit = QueryParameters.integer(http, "limit", 1, MOST, LIMIT, errors);
            Optional<EntryPlace> after = QueryParameters.cursor(http, EntrySelection::place, errors);
            return new EntrySelection(from, to, after.orElse(null), limit);
        }

        static String cursor(EntryPlace place) {
            byte[] bytes = ByteBuffer.allocate(CURSOR_BYTES)
                    .putInt(place.day())
                    .putLong(place.sequence())
                    .array();
            return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
        }

        private static Optional<EntryPlace> place(String cursor) {
            try {
                byte[] bytes = Base64.getUrlDecoder().decode(cursor);
                if (bytes.length != CURSOR_BYTES) {
                    return Optional.empty();
                }
                ByteBuffer in = ByteBuffer.wrap(bytes);
                var place = new EntryPlace(in.getInt(), in.getLong());
                return place.day() < 0 || place.sequence() < 0 ? Optional.empty() : Optional.of(place);
            } catch (IllegalArgumentException e) {
                return Optional.empty();
            }
        }
    }
}
