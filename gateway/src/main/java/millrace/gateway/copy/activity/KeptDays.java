package millrace.gateway.copy.activity;

import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;

/**
 * The days that are kept: as many as the topics have whole, so that every gateway has the same ones,
 * however it was built. A day is a number of days since 1970, in UTC.
 */
public record KeptDays(int today) {
    /** Of report-events and webhook-attempts. */
    public static final int EVENTS = 30;
    /** Of credit-ledger. */
    public static final int LEDGER = 400;

    /** A clock that is before it is wrong: this code is newer. */
    private static final int FIRST = (int) LocalDate.of(2026, 1, 1).toEpochDay();

    static KeptDays at(Instant now) {
        return new KeptDays(day(now));
    }

    public static int day(Instant time) {
        return Math.toIntExact(Math.floorDiv(time.getEpochSecond(), 86_400L));
    }

    public static LocalDate date(int day) {
        return LocalDate.ofEpochDay(day);
    }

    public static Instant start(int day) {
        return date(day).atStartOfDay(ZoneOffset.UTC).toInstant();
    }

    boolean plausible() {
        return today >= FIRST;
    }

    /** The oldest day of reports' events, attempts, statistics and the feed. */
    public int firstOfEvents() {
        return today - EVENTS + 1;
    }

    /** The oldest day of ledger entries and usage. */
    public int firstOfLedger() {
        return today - LEDGER + 1;
    }

    /** Whether events of the time may be forgotten. */
    public boolean forgets(Instant time) {
        return !hasEventsOf(day(time));
    }

    boolean hasEventsOf(int day) {
        return day >= firstOfEvents();
    }

    boolean hasLedgerOf(int day) {
        return day >= firstOfLedger();
    }

    /** The last day that a record can have: its writer's clock may be ahead. */
    public int last() {
        return today + 1;
    }
}
