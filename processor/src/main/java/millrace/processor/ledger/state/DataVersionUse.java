package millrace.processor.ledger.state;

import java.util.function.Consumer;
import millrace.processor.ledger.decide.LedgerReport;
import millrace.processor.ledger.decide.OpenAttempt;
import millrace.processor.ledger.decide.PendingChanges;
import org.apache.kafka.streams.KeyValue;
import org.jspecify.annotations.Nullable;

/** Counts, for each data version, the open reports of this partition that read it. */
public record DataVersionUse(TypedStore<Integer> typedStore) {
    /** Greater than the key of any version. */
    private static final String END = "\uFFFF";

    /** A dataset and one of its versions. */
    public record Version(String dataset, String name) {
        String key() {
            return dataset + "/" + name;
        }
    }

    void count(PendingChanges changes) {
        changes.reports().forEachChange((id, before, after) -> {
            Version was = read(before);
            Version is = read(after);
            if (was != null && !was.equals(is)) {
                add(was, -1);
            }
            if (is != null && !is.equals(was)) {
                add(is, 1);
            }
        });
    }

    public void forEach(Consumer<Version> action) {
        for (KeyValue<String, Integer> entry : typedStore.range("", END, Integer.MAX_VALUE)) {
            int slash = entry.key.indexOf('/');
            action.accept(new Version(entry.key.substring(0, slash), entry.key.substring(slash + 1)));
        }
    }

    private void add(Version version, int more) {
        Integer count = typedStore.get(version.key());
        int now = (count == null ? 0 : count) + more;
        typedStore.put(version.key(), now > 0 ? now : null);
    }

    /** The version that a report reads while it is open. */
    static @Nullable Version read(@Nullable LedgerReport report) {
        if (report == null) {
            return null;
        }
        OpenAttempt work = report.work();
        return work == null ? null : new Version(report.status().dataset(), work.dataVersion());
    }
}
