package millrace.gateway.accounts.rules;

import java.time.Instant;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.util.List;
import java.util.stream.Stream;
import millrace.contracts.accounts.AccountRecord;
import millrace.contracts.accounts.AccountRecord.Monthly;

/** Decides which months of monthly credits are due. Months are those of UTC. */
public final class DueMonths {
    /** Bounds what a clock grants that is years ahead for a moment. */
    private static final int MOST = 12;

    private DueMonths() {}

    /**
     * This month and those since the last that was granted, at most 12 of them; none while the
     * account is suspended.
     */
    public static List<YearMonth> months(AccountRecord account, YearMonth month) {
        Monthly monthly = account.monthly();
        if (monthly == null || account.suspended()) {
            return List.of();
        }
        YearMonth earliest = month.minusMonths(MOST - 1);
        YearMonth next = monthly.granted() == null
                ? month
                : YearMonth.parse(monthly.granted()).plusMonths(1);
        YearMonth first = next.isBefore(earliest) ? earliest : next;
        return Stream.iterate(first, m -> !m.isAfter(month), m -> m.plusMonths(1))
                .toList();
    }

    /** Marks all months before this one as granted. */
    static Monthly upTo(Monthly monthly, Instant now) {
        YearMonth last = YearMonth.from(now.atOffset(ZoneOffset.UTC)).minusMonths(1);
        boolean later =
                monthly.granted() != null && !YearMonth.parse(monthly.granted()).isBefore(last);
        return later || monthly.granted() == null ? monthly : new Monthly(monthly.credits(), last.toString());
    }
}
