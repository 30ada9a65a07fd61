package millrace.contracts.accounts;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * One line of an account's ledger, topic {@code credit-ledger}. A consumer rebuilds the balance from the entries alone:
 * grant adds to granted; expiry takes from granted; opening changes nothing; reservation adds to reserved; settlement moves from reserved to used; release takes from reserved;
 * remaining is granted - reserved - used.
 *
 * @param entryId unique within the account and stable across redelivery, for example {@code {report}.1.reservation}, or a
 *     grant's id
 * @param sequence 1, 2, 3, … per account, without a gap
 * @param amount credits moved by this entry, 0 or more
 * @param granted after this entry, like the three that follow
 */
public record LedgerEntry(
        String entryId,
        String accountId,
        long sequence,
        Kind kind,
        @Nullable UUID reportId,
        long amount,
        long granted,
        long reserved,
        long used,
        long remaining,
        Instant occurredAt) {

    /** What an entry does. */
    public enum Kind {
        /** The balance as it stands, repeated at least every 30 days so that a consumer can start there; {@code amount} is {@code remaining}. */
        @JsonProperty("opening")
        OPENING,
        @JsonProperty("grant")
        GRANT,
        @JsonProperty("reservation")
        RESERVATION,
        @JsonProperty("settlement")
        SETTLEMENT,
        @JsonProperty("release")
        RELEASE,
        /** What was granted and is left is taken back, never what is reserved or used. */
        @JsonProperty("expiry")
        EXPIRY
    }
}
