package millrace.contracts.accounts;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import millrace.contracts.requests.ApiDialect;
import org.jspecify.annotations.Nullable;

/**
 * An account with its keys, entitlements and limits. The ledger has its credits. API keys are
 * hashed, webhook secrets are encrypted.
 *
 * @param revision 1, 2, 3, …; one more with each change
 * @param suspended requests are refused; accepted reports go on
 * @param entitlements by capability category
 * @param limits null where the gateway's apply
 * @param monthly null where there are no monthly credits
 * @param declared fingerprints of the parts of the accounts file's entry that the account has, by
 *     name; empty where the file has no entry
 * @param opening credits that the account began with; null where there were none, and in records of
 *     earlier builds
 * @param subscriptions URLs that get events which are not about a report; null where there are none, and in records
 *     of earlier builds
 * @param booked null in records of earlier builds
 * @param closedAt since when the account is closed: its id, its credits and its audit are left, and it does not change any
 *     more; null if it is not, and in records of earlier builds
 */
public record AccountRecord(
        String accountId,
        long revision,
        String name,
        boolean suspended,
        List<Key> keys,
        Map<String, Entitlement> entitlements,
        @Nullable Limits limits,
        @Nullable Monthly monthly,
        List<Secret> webhookSecrets,
        Map<String, String> declared,
        Instant updatedAt,
        @Nullable Long opening,
        @Nullable List<Subscription> subscriptions,
        @Nullable Booked booked,
        @Nullable Instant closedAt) {

    public AccountRecord {
        keys = List.copyOf(keys);
        webhookSecrets = List.copyOf(webhookSecrets);
        subscriptions = subscriptions == null || subscriptions.isEmpty() ? null : List.copyOf(subscriptions);
    }

    /** {@link #subscriptions}, empty where there are none. */
    public List<Subscription> subscribed() {
        return subscriptions == null ? List.of() : subscriptions;
    }

    /**
     * What was given and taken, by which a repeat is recognised.
     *
     * @param moves the newest grants and expiries that operators asked for, the oldest first
     * @param whole whether these are all that there ever were
     * @param month the last month that was granted, {@code 2026-11}, of monthly credits that have ended; or null
     */
    public record Booked(
            List<Move> moves, boolean whole, @Nullable String month) {
        /** Each change of the account writes all of them. */
        private static final int MOST_MOVES = 200;

        /** Of a new account. */
        public static final Booked NOTHING = new Booked(List.of(), true, null);

        /** Of an account that an earlier build made. */
        public static final Booked UNKNOWN = new Booked(List.of(), false, null);

        public Booked {
            moves = List.copyOf(moves);
        }

        /** The move with the id; empty where it is not among the newest. */
        public Optional<Move> move(String id) {
            return moves.stream().filter(move -> move.id().equals(id)).findFirst();
        }

        /** With one more move. */
        public Booked with(Move move) {
            List<Move> all = Stream.concat(moves.stream(), Stream.of(move)).toList();
            boolean full = all.size() > MOST_MOVES;
            return new Booked(full ? all.subList(1, all.size()) : all, whole && !full, month);
        }

        public Booked withMonth(@Nullable String granted) {
            return new Booked(moves, whole, granted);
        }
    }

    /**
     * @param id of the grant or the expiry
     * @param credits that were asked for: more than 0 of a grant, less of an expiry
     */
    public record Move(String id, long credits) {}

    /** {@link #booked}, as it is where the record does not say it. */
    public Booked effectivelyBooked() {
        return booked == null ? Booked.UNKNOWN : booked;
    }

    /** The kind of a key, which decides the calls that it opens. */
    public enum KeyKind {
        @JsonProperty("batch")
        BATCH,
        @JsonProperty("rest")
        REST
    }

    /**
     * @param id {@link #idOf}: {@code key_} and the first 12 digits of the hash
     * @param sha256 lower-case hex over the key's text
     * @param declared whether the key comes from the accounts file
     * @param revokedAt null where nobody has revoked the key
     * @param expiresAt the key is valid until then; null where it does not expire, and in records of
     *     earlier builds
     * @param scopes what a batch key opens; null where it opens everything, as in records of earlier builds. A rest key has none
     */
    public record Key(
            String id,
            KeyKind kind,
            String sha256,
            @Nullable ApiDialect dialect,
            @Nullable String label,
            boolean declared,
            Instant issuedAt,
            @Nullable Instant revokedAt,
            @Nullable Instant expiresAt,
            @Nullable Set<KeyScope> scopes) {

        public Key {
            scopes = scopes == null ? null : KeyScope.copyOf(scopes);
        }

        /** Id of a key, from the SHA-256 of its text. */
        public static String idOf(String sha256) {
            return "key_" + sha256.substring(0, 12);
        }

        /** The same key, revoked at the time. */
        public Key revoked(Instant at) {
            return new Key(id, kind, sha256, dialect, label, declared, issuedAt, at, expiresAt, scopes);
        }

        /** The same key with another label, another expiry and other scopes. */
        public Key changed(@Nullable String newLabel, @Nullable Instant newExpiry, @Nullable Set<KeyScope> newScopes) {
            return new Key(id, kind, sha256, dialect, newLabel, declared, issuedAt, revokedAt, newExpiry, newScopes);
        }

        /** What a batch key opens: its scopes, all of them where it has none. */
        public Set<KeyScope> effectiveScopes() {
            return scopes == null ? KeyScope.ALL : scopes;
        }

        /** Whether the key opens anything at that time. */
        public boolean validAt(Instant now) {
            return revokedAt == null && (expiresAt == null || expiresAt.isAfter(now));
        }
    }

    /** The countries and days that are accessible, both days inclusive. */
    public record Entitlement(List<String> countries, LocalDate startDate, LocalDate endDate) {
        public Entitlement {
            countries = List.copyOf(countries);
        }
    }

    /**
     * Limits of this account; null where those of the services apply.
     *
     * @param historyDays how long a report is known after its end
     */
    public record Limits(
            @Nullable Integer requestsPerSecond,
            @Nullable Integer openReports,
            @Nullable Integer historyDays) {
        /** Most days that a report is known. */
        public static final int MOST_HISTORY_DAYS = 3_650;

        /** Whether there are none. */
        @JsonIgnore
        public boolean isEmpty() {
            return requestsPerSecond == null && openReports == null && historyDays == null;
        }
    }

    /**
     * @param credits at least 1, granted once in each calendar month (UTC)
     * @param granted the last month that was granted, {@code 2026-11}; null before the first
     */
    public record Monthly(long credits, @Nullable String granted) {}

    /**
     * @param id {@code whs_} and random digits; no part of the secret
     * @param sealed base64 of the encrypted secret
     * @param expiresAt the secret signs until then; null where it signs until it is replaced
     */
    public record Secret(
            String id,
            String sealed,
            Instant createdAt,
            @Nullable Instant expiresAt) {}

    /**
     * A URL that gets events of an account which are not about a report.
     *
     * @param id {@code sub_} and random digits
     * @param eventTypes the words of the events that it gets
     */
    public record Subscription(String id, String url, List<String> eventTypes, Instant createdAt) {
        public Subscription {
            eventTypes = List.copyOf(eventTypes);
        }
    }
}
