package millrace.contracts.accounts;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * An entry of an account's ledger, topic {@code credit-ledger}. The entries alone give the balance:
 * a grant adds to granted, an expiry subtracts from granted, an opening changes nothing, a
 * reservation adds to reserved, a settlement moves from reserved to used, a release subtracts from
 * reserved. Remaining is granted - reserved - used.
 *
 * @param entryId unique within the account and stable across redelivery, for example {@code
 *     {report}.1.reservation}, or a grant's id
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

    /** The effect of an entry. */
    public enum Kind {
        /**
         * The current balance, repeated at least every 30 days so that a consumer can start there;
         * {@code amount} is {@code remaining}.
         */
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
        /** Takes back granted credits that remain, never reserved or used ones. */
        @JsonProperty("expiry")
        EXPIRY
    }
}
