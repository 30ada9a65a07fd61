package millrace.processor.ledger.state;

import java.util.List;
import millrace.processor.ledger.decide.Ledger;
import millrace.processor.ledger.decide.LedgerReport;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * Turns the reports that earlier builds kept whole after their end into entries of {@link EndedReports}, some at a time.
 * Until it has come to the end both kinds are there, and a start begins anew with what is left.
 */
final class StateMigration {
    /** Greater than the key of any report. */
    private static final String END = "\uFFFF";

    private final TypedStore<LedgerReport> reports;
    private final TypedStore<LedgerTimers.Item> agenda;
    private final TypedStore<LedgerTimers.Item> fileAgenda;
    private final Ledger ledger;
    private String from = "";
    private boolean reportsDone;

    StateMigration(KeyValueStore<String, byte[]> store, Ledger ledger) {
        this.reports = new TypedStore<>(store, LedgerStores.REPORTS, LedgerReport.class);
        this.agenda = new TypedStore<>(store, LedgerStores.AGENDA, LedgerTimers.Item.class);
        this.fileAgenda = new TypedStore<>(store, LedgerStores.FILE_AGENDA, LedgerTimers.Item.class);
        this.ledger = ledger;
    }

    /** Looks at the next rows, at most {@code most}. To be called until {@link StateFormat#isMigrated}. */
    void step(LedgerStores stores, int most) {
        if (reportsDone) {
            List<KeyValue<String, LedgerTimers.Item>> found = fileAgenda.range(from, END, most);
            found.forEach(row -> fileAgenda.remove(row.key));
            if (!goesOn(found, most)) {
                stores.form().writeMigrated();
            }
            return;
        }
        List<KeyValue<String, LedgerReport>> found = reports.range(from, END, most);
        for (KeyValue<String, LedgerReport> row : found) {
            if (row.value.over()) {
                end(stores, row.value);
            }
        }
        if (!goesOn(found, most)) {
            reportsDone = true;
            from = "";
        }
    }

    /** Moves behind the rows; returns false if they are the last ones. */
    private boolean goesOn(List<? extends KeyValue<String, ?>> found, int most) {
        if (!found.isEmpty()) {
            from = found.getLast().key + "\0";
        }
        return found.size() == most;
    }

    private void end(LedgerStores stores, LedgerReport report) {
        String account = report.status().accountId();
        stores.end(account, report, stores.requests().get(StoreKeys.report(account, report.id())));
        var timer = new LedgerTimers.Item(account, report.id());
        // If the setting has changed since, the timer has another time. It stays, and finds no report when it is
        // due.
        agenda.remove(LedgerTimers.key(ledger.knownUntil(report), timer));
    }
}
