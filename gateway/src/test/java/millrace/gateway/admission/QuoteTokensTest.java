package millrace.gateway.admission;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.Set;
import millrace.catalog.access.Entitlements;
import millrace.catalog.validation.CheckedRequest.OpenEnd;
import millrace.contracts.accounts.AccountRecord;
import millrace.contracts.accounts.VersionPrice;
import millrace.contracts.requests.ApiDialect;
import millrace.contracts.requests.Granularity;
import millrace.contracts.requests.ReportQuery;
import millrace.gateway.access.Caller;
import millrace.gateway.admission.QuoteTokens.Verdict;
import millrace.gateway.problems.ProblemCode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class QuoteTokensTest {
    private static final byte[] SECRET = "a secret of at least 32 bytes for tests".getBytes(StandardCharsets.UTF_8);
    private static final ReportQuery QUERY = query("cnn.com");
    private static final Caller ACME = caller("acme", AccountRecord.KeyKind.BATCH);

    private Instant now = Instant.parse("2026-11-21T08:15:30.500Z");
    private final QuoteTokens tokens = new QuoteTokens(SECRET, () -> now);

    @Test
    void aQuoteHoldsForItsPriceAndVersion() {
        QuoteTokens.PriceQuote quote = tokens.of(ACME, QUERY, null, 104, "20261121-061530");
        assertThat(quote.expiresAt()).isEqualTo(Instant.parse("2026-11-21T08:30:30Z"));
        now = quote.expiresAt().minusMillis(1);
        assertThat(new QuoteTokens(SECRET, () -> now).check(ACME, QUERY, null, quote.token()))
                .isEqualTo(new Verdict.Holds(new VersionPrice("20261121-061530", 104, true), QUERY.dates()));
    }

    @Test
    void aQuoteEnds() {
        String token = tokens.of(ACME, QUERY, null, 104, "v1").token();
        now = now.plus(Duration.ofMinutes(15));
        assertThat(code(ACME, QUERY, token)).isEqualTo(ProblemCode.QUOTE_EXPIRED);
        assertThat(code(caller("other", AccountRecord.KeyKind.BATCH), QUERY, token))
                .as("nobody else learns that")
                .isEqualTo(ProblemCode.QUOTE_MISMATCH);
    }

    @Test
    void aQuoteIsForOneAccountKindOfKeyAndQuery() {
        String token = tokens.of(ACME, QUERY, null, 104, "v1").token();
        assertThat(code(caller("other", AccountRecord.KeyKind.BATCH), QUERY, token))
                .isEqualTo(ProblemCode.QUOTE_MISMATCH);
        for (AccountRecord.KeyKind kind : AccountRecord.KeyKind.values()) {
            boolean same = kind == AccountRecord.KeyKind.BATCH;
            assertThat(tokens.check(caller("acme", kind), QUERY, null, token) instanceof Verdict.Holds)
                    .as("%s", kind)
                    .isEqualTo(same);
        }
        assertThat(code(ACME, query("example.org"), token)).isEqualTo(ProblemCode.QUOTE_MISMATCH);
    }

    /** The newest period may be another one by now. */
    @Test
    void aQuoteOfAMovingRangeKeepsItsDates() {
        var quarter = new OpenEnd(null, "3m", null);
        String token = tokens.of(ACME, QUERY, quarter, 104, "v1").token();
        ReportQuery later = QUERY.withDates(new ReportQuery.Dates(
                Granularity.MONTHLY, LocalDate.parse("2026-09-01"), LocalDate.parse("2026-11-01")));
        assertThat(tokens.check(ACME, later, quarter, token))
                .isEqualTo(new Verdict.Holds(new VersionPrice("v1", 104, true), QUERY.dates()));
        assertThat(code(ACME, later, token)).as("dates that were sent").isEqualTo(ProblemCode.QUOTE_MISMATCH);
        for (OpenEnd other : List.of(
                new OpenEnd(null, "2m", null),
                new OpenEnd(null, "all", null),
                OpenEnd.from(null),
                OpenEnd.from(LocalDate.parse("2026-08-01")))) {
            assertThat(tokens.check(ACME, later, other, token))
                    .as("another range: %s", other)
                    .isInstanceOf(Verdict.Fails.class);
        }
    }

    @Test
    void noByteOfATokenCanBeChanged() {
        String token = tokens.of(ACME, QUERY, null, 104, "v1").token();
        for (int i = 0; i < token.length() - 1; i++) {
            char other = token.charAt(i) == 'A' ? 'B' : 'A';
            String changed = token.substring(0, i) + other + token.substring(i + 1);
            assertThat(code(ACME, QUERY, changed)).isEqualTo(ProblemCode.QUOTE_MISMATCH);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "x", "not a token!", "AAAA", "é"})
    void whatIsNoTokenFitsNothing(String token) {
        assertThat(code(ACME, QUERY, token)).isEqualTo(ProblemCode.QUOTE_MISMATCH);
    }

    private ProblemCode code(Caller caller, ReportQuery query, String token) {
        Verdict verdict = tokens.check(caller, query, null, token);
        assertThat(verdict).isInstanceOf(Verdict.Fails.class);
        return ((Verdict.Fails) verdict).refused().code();
    }

    private static Caller caller(String account, AccountRecord.KeyKind kind) {
        var record = new AccountRecord(
                account,
                1,
                account,
                false,
                List.of(),
                Map.of(),
                null,
                null,
                List.of(),
                Map.of(),
                Instant.EPOCH,
                null,
                null,
                null,
                null);
        return new Caller(record, new Entitlements(Map.of()), kind, ApiDialect.V3, "key", Set.of(), null);
    }

    private static ReportQuery query(String domain) {
        var dates = new ReportQuery.Dates(
                Granularity.MONTHLY, LocalDate.parse("2026-08-01"), LocalDate.parse("2026-10-01"));
        return new ReportQuery(
                "demographics",
                List.of(domain),
                List.of("US"),
                List.of("demographics_share"),
                dates,
                Map.of(),
                false,
                null,
                ReportQuery.Output.CSV);
    }
}
