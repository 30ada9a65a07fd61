package millrace.gateway.api.credits;

import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import java.time.InstantSource;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import millrace.contracts.accounts.KeyScope;
import millrace.gateway.access.ApiKeyFilter;
import millrace.gateway.access.RequiredScopes;
import millrace.gateway.copy.activity.ActivityQueries;
import millrace.gateway.copy.activity.EndedReports;
import millrace.gateway.copy.activity.KeptDays;
import millrace.gateway.server.BlockingRoutes;
import millrace.gateway.server.RefusedException;
import millrace.gateway.server.TakesParameters;
import org.jspecify.annotations.Nullable;

/** Tells how an account's reports ended, by day and dataset. */
@Controller("/v3/batch")
@BlockingRoutes
final class StatisticsRoutes {
    private final ActivityAnswers answers;
    private final InstantSource clock;

    StatisticsRoutes(ActivityAnswers answers, InstantSource clock) {
        this.answers = answers;
        this.clock = clock;
    }

    /**
     * How the attempts of a day and dataset ended, or all of them.
     *
     * @param day null in the total, as is the dataset
     * @param p50Millis null where no report was complete
     */
    private record Row(
            @Nullable LocalDate day,
            @Nullable String dataset,
            long complete,
            long failed,
            long cancelled,
            long rows,
            long credits,
            @Nullable Long p50Millis,
            @Nullable Long p95Millis) {
        static Row of(@Nullable LocalDate day, @Nullable String dataset, EndedReports ended) {
            return new Row(
                    day,
                    dataset,
                    ended.complete(),
                    ended.failed(),
                    ended.cancelled(),
                    ended.rows(),
                    ended.credits(),
                    orNull(ended.durations().quantile(0.5)),
                    orNull(ended.durations().quantile(0.95)));
        }

        private static @Nullable Long orNull(OptionalLong value) {
            return value.isPresent() ? value.getAsLong() : null;
        }
    }

    private record Answer(LocalDate from, LocalDate to, List<Row> statistics, Row total) {}

    @Get("/statistics")
    @RequiredScopes(KeyScope.READ)
    @TakesParameters({"from", "to"})
    HttpResponse<byte[]> statistics(HttpRequest<?> http) {
        List<String> errors = new ArrayList<>();
        DayRange days = DayRange.of(http, clock.instant(), errors);
        RefusedException.ifAny(errors);
        String account = ApiKeyFilter.caller(http).accountId();
        return answers.answer(
                store -> answer(store, account, days.notBefore(store.kept().firstOfEvents())));
    }

    private static Answer answer(ActivityQueries store, String account, DayRange days) {
        List<ActivityQueries.Statistics> found = store.statistics(account, days.firstDay(), days.lastDay());
        EndedReports total =
                found.stream().map(ActivityQueries.Statistics::ended).reduce(EndedReports.NONE, EndedReports::plus);
        return new Answer(
                days.from(),
                days.to(),
                found.stream()
                        .map(f -> Row.of(KeptDays.date(f.day()), f.dataset(), f.ended()))
                        .toList(),
                Row.of(null, null, total));
    }
}
