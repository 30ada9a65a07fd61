package millrace.runtime.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import millrace.contracts.accounts.PriceRule;
import millrace.contracts.accounts.Quote;
import millrace.contracts.commands.AccountCommand;
import millrace.contracts.requests.ApiDialect;
import millrace.contracts.requests.Granularity;
import millrace.contracts.requests.ReportQuery;
import millrace.contracts.requests.ReportRequest;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CatalogAgreementTest {
    private static final Instant START = Instant.parse("2026-11-21T06:15:30Z");

    private Instant now = START;

    @ParameterizedTest
    @CsvSource({
        "here and there, one hash, one hash, true",
        "another declaration, one hash, another, false",
        "only there, , one hash, false",
        "an earlier build that says nothing, one hash, , true",
        "undeclared in both, , , true",
    })
    void theOneThatLacksWhatOthersAcceptIsNotReady(
            String what, @Nullable String mine, @Nullable String theirs, boolean agrees) {
        CatalogAgreement here = agreement(mine);
        AccountCommand request = request(now);
        here.read(request, agreement(theirs).headers(request));
        assertThat(here.agrees()).as(what).isEqualTo(agrees);
    }

    @Test
    void aMinuteAfterTheLastRequestThatDiffersItIsReadyAgain() {
        CatalogAgreement here = agreement("a");
        CatalogAgreement there = agreement("b");
        read(here, there);
        now = now.plusSeconds(50);
        read(here, there);
        now = now.plus(CatalogAgreement.REMEMBERED);
        assertThat(here.agrees()).isFalse();
        now = now.plusMillis(1);
        assertThat(here.agrees()).isTrue();
    }

    /** All were stopped, and started with new files: what waits in Kafka was accepted by the old ones. */
    @Test
    void requestsFromBeforeTheStartDoNotCount() {
        AccountCommand before = request(START.minusMillis(1));
        CatalogAgreement here = agreement("a");
        here.read(before, agreement("b").headers(before));
        assertThat(here.agrees()).isTrue();
    }

    @Test
    void aSliceThatIsNotDeclaredDiffers() {
        CatalogAgreement here = agreement("a");
        here.undeclared(((AccountCommand.RequestReport) request(now)).request().query());
        assertThat(here.agrees()).isFalse();
    }

    @Test
    void onlyRequestsCarryAHash() {
        var cancel = new AccountCommand.CancelReport(new UUID(0, 1));
        assertThat(agreement("a").headers(cancel)).isEmpty();
        CatalogAgreement here = agreement("a");
        here.read(cancel, new RecordHeaders());
        assertThat(here.agrees()).isTrue();
    }

    private void read(CatalogAgreement here, CatalogAgreement there) {
        AccountCommand request = request(now);
        here.read(request, there.headers(request));
    }

    private CatalogAgreement agreement(@Nullable String hash) {
        return new CatalogAgreement(
                query -> Optional.ofNullable(hash), () -> now, () -> now.toEpochMilli() * 1_000_000);
    }

    private static AccountCommand request(Instant submittedAt) {
        var query = new ReportQuery(
                "app_usage",
                List.of("shop.example"),
                List.of("US"),
                List.of("app_opens"),
                new ReportQuery.Dates(
                        Granularity.MONTHLY, LocalDate.parse("2026-09-01"), LocalDate.parse("2026-10-01")),
                Map.of(),
                false,
                null,
                ReportQuery.Output.CSV);
        return new AccountCommand.RequestReport(
                new UUID(0, 1),
                new ReportRequest(query, null, null, ApiDialect.V3),
                new Quote(2, 2, new PriceRule("per_result", "1 credit per result", 1, false)),
                null,
                submittedAt,
                "");
    }
}
