package millrace.gateway.admission;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.Key;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.Base64;
import millrace.catalog.dataset.RequestFields;
import millrace.catalog.validation.CheckedRequest.OpenEnd;
import millrace.contracts.Hashes;
import millrace.contracts.accounts.VersionPrice;
import millrace.contracts.requests.QueryHash;
import millrace.contracts.requests.ReportQuery;
import millrace.contracts.requests.ReportQuery.Dates;
import millrace.gateway.access.Caller;
import millrace.gateway.admission.SubmissionOutcome.Refused;
import millrace.gateway.problems.ProblemCode;
import org.jspecify.annotations.Nullable;

/**
 * Makes and checks quotes: for a quarter of an hour, a report costs at most so many credits, and reads this version of
 * the data. Nothing is kept of a quote: its token says all, and an HMAC-SHA256 binds it to the account, the kind of its
 * key and the query. Every gateway with the same link secret accepts it.
 */
public final class QuoteTokens {
    private static final Duration VALID = Duration.ofMinutes(15);
    private static final int MAC = 32;
    private static final int NUMBERS = 4 * Long.BYTES;

    private final Key key;
    private final InstantSource clock;

    /** @param secret the same at all gateways */
    public QuoteTokens(byte[] secret, InstantSource clock) {
        this.key = Hashes.hmacKey(secret);
        this.clock = clock;
    }

    /** A price that holds until {@code expiresAt}. */
    public record PriceQuote(String token, long maxCredits, String dataVersion, Instant expiresAt) {}

    /** What a quote says: a price, or why it does not hold. */
    public sealed interface Verdict {
        /** @param dates that the report has; a request may leave them to the newest data */
        record Holds(VersionPrice price, Dates dates) implements Verdict {}

        record Fails(Refused refused) implements Verdict {}
    }

    /**
     * @param openEnd if the request does not name its periods by dates alone, else null
     * @param dataVersion that the report is to read
     */
    public PriceQuote of(
            Caller caller, ReportQuery query, @Nullable OpenEnd openEnd, long maxCredits, String dataVersion) {
        Instant expiresAt = Instant.ofEpochSecond(clock.instant().plus(VALID).getEpochSecond());
        byte[] version = dataVersion.getBytes(StandardCharsets.UTF_8);
        byte[] content = ByteBuffer.allocate(NUMBERS + version.length)
                .putLong(expiresAt.getEpochSecond())
                .putLong(maxCredits)
                .putLong(query.dates().first().toEpochDay())
                .putLong(query.dates().last().toEpochDay())
                .put(version)
                .array();
        byte[] token = ByteBuffer.allocate(MAC + content.length)
                .put(mac(caller, query, openEnd, content))
                .put(content)
                .array();
        return new PriceQuote(
                Base64.getUrlEncoder().withoutPadding().encodeToString(token), maxCredits, dataVersion, expiresAt);
    }

    /**
     * Compares in constant time. Whatever the token was made for instead, the refusal is the same.
     *
     * @param openEnd as of {@link #of}: the dates of the query were found now, and may have been others when the token was
     *     made
     */
    public Verdict check(Caller caller, ReportQuery query, @Nullable OpenEnd openEnd, String token) {
        byte[] bytes;
        try {
            bytes = Base64.getUrlDecoder().decode(token);
        } catch (IllegalArgumentException e) {
            return mismatch();
        }
        // Spellings that decode to the same would be tokens of their own to whoever remembers the text.
        boolean own =
                Base64.getUrlEncoder().withoutPadding().encodeToString(bytes).equals(token);
        if (!own || bytes.length <= MAC + NUMBERS) {
            return mismatch();
        }
        byte[] content = Arrays.copyOfRange(bytes, MAC, bytes.length);
        ByteBuffer in = ByteBuffer.wrap(content);
        long expires = in.getLong();
        long credits = in.getLong();
        long first = in.getLong();
        long last = in.getLong();
        ReportQuery quoted = openEnd != null && isDay(first) && isDay(last)
                ? query.withDates(
                        new Dates(query.dates().granularity(), LocalDate.ofEpochDay(first), LocalDate.ofEpochDay(last)))
                : query;
        if (!MessageDigest.isEqual(mac(caller, quoted, openEnd, content), Arrays.copyOf(bytes, MAC))) {
            return mismatch();
        }
        Instant expiresAt = Instant.ofEpochSecond(expires);
        if (!clock.instant().isBefore(expiresAt)) {
            return new Verdict.Fails(new Refused(
                    ProblemCode.QUOTE_EXPIRED,
                    RequestFields.QUOTE + ": it was valid until " + expiresAt + "; validate the request again."));
        }
        String version = new String(content, NUMBERS, content.length - NUMBERS, StandardCharsets.UTF_8);
        return new Verdict.Holds(new VersionPrice(version, credits, true), quoted.dates());
    }

    /** Before it is known whether this service has made the token. */
    private static boolean isDay(long epochDay) {
        return Math.abs(epochDay) < Integer.MAX_VALUE / 1_000;
    }

    private static Verdict mismatch() {
        return new Verdict.Fails(new Refused(
                ProblemCode.QUOTE_MISMATCH,
                RequestFields.QUOTE
                        + ": it was not made for this request, account and kind of key; validate the request again."));
    }

    private byte[] mac(Caller caller, ReportQuery query, @Nullable OpenEnd openEnd, byte[] content) {
        String sent = openEnd == null ? "" : openEnd.start() + " " + openEnd.window() + " " + openEnd.end();
        // How a report is cut into files changes nothing of its price.
        String hash = QueryHash.of(query.withSplit(null));
        String of = String.join("\n", "quote.v1", caller.kind().name(), hash, caller.accountId(), sent, "");
        return Hashes.hmacSha256(key, of.getBytes(StandardCharsets.UTF_8), content);
    }
}
