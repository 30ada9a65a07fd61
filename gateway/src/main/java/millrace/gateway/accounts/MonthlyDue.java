package millrace.gateway.accounts;

import java.time.YearMonth;
import millrace.contracts.AccountRecord;
import millrace.contracts.AccountRecord.Monthly;

/** Whose monthly credits are to be granted. */
final class MonthlyDue {
    private MonthlyDue() {}

    /** Once per month, the earlier ones are not made up for; nothing while it is suspended. */
    static boolean due(AccountRecord account, YearMonth month) {
        Monthly monthly = account.monthly();
        return monthly != null
                && !account.suspended()
                && (monthly.granted() == null
                        || YearMonth.parse(monthly.granted()).isBefore(month));
    }
}
