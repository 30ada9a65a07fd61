package millrace.gateway.accounts;

import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.InstantSource;
import java.time.LocalDate;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.util.List;
import millrace.contracts.accounts.AccountRecord;
import millrace.gateway.accounts.rules.AccountChange;
import millrace.gateway.accounts.rules.DueMonths;
import millrace.runtime.accounts.Accounts;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Grants monthly credits when a month (UTC) begins. Every gateway runs it, and it catches up on
 * months in which no gateway ran. An account names the last month that was granted, and the grant's
 * id names account and month, so each month is granted once.
 */
@Singleton
public final class MonthlyGrants implements Runnable {
    static final String ACTOR = "schedule";

    private static final Logger LOG = LoggerFactory.getLogger(MonthlyGrants.class);
    private static final Duration PERIOD = Duration.ofSeconds(2);

    private final Accounts accounts;
    private final AccountWriter writer;
    private final InstantSource clock;

    MonthlyGrants(Accounts accounts, AccountWriter writer, InstantSource clock) {
        this.accounts = accounts;
        this.writer = writer;
        this.clock = clock;
    }

    /** Runs until the thread is interrupted. */
    @Override
    public void run() {
        try {
            while (!Thread.interrupted()) {
                grantDueMonths();
                Thread.sleep(PERIOD);
            }
        } catch (InterruptedException | InterruptException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static String reason(AccountRecord account, YearMonth month) {
        YearMonth first = DueMonths.months(account, month).getFirst();
        return "monthly credits of " + (first.equals(month) ? "" : first + " to ") + month;
    }

    private void grantDueMonths() {
        YearMonth month = YearMonth.from(LocalDate.ofInstant(clock.instant(), ZoneOffset.UTC));
        List<AccountWriter.RequestedChange> wanted = accounts.records().stream()
                .filter(account -> !DueMonths.months(account, month).isEmpty())
                .map(account -> new AccountWriter.RequestedChange(
                        account.accountId(), new AccountChange.GrantMonths(month), reason(account, month)))
                .toList();
        try {
            writer.changeEach(ACTOR, wanted);
        } catch (InterruptException e) {
            throw e;
        } catch (KafkaException e) {
            LOG.warn("monthly grants failed, retrying error={}", e.toString());
        }
    }
}
