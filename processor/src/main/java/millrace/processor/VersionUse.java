package millrace.processor;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import millrace.processor.account.Draft;
import millrace.processor.account.Report;
import millrace.processor.account.Work;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/** How many open reports of this partition read each version of the data. */
record VersionUse(KeyValueStore<String, Integer> store) {
    /** A dataset and one of its versions. */
    record Version(String dataset, String name) {
        private String key() {
            return dataset + "/" + name;
        }
    }

    void count(Draft draft) {
        draft.reports().forEachChange((id, before, after) -> {
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

    void forEach(Consumer<Version> action) {
        List<String> keys = new ArrayList<>();
        try (KeyValueIterator<String, Integer> entries = store.all()) {
            while (entries.hasNext()) {
                KeyValue<String, Integer> entry = entries.next();
                keys.add(entry.key);
            }
        }
        for (String key : keys) {
            int slash = key.indexOf('/');
            action.accept(new Version(key.substring(0, slash), key.substring(slash + 1)));
        }
    }

    private void add(Version version, int more) {
        Integer count = store.get(version.key());
        int now = (count == null ? 0 : count) + more;
        if (now > 0) {
            store.put(version.key(), now);
        } else {
            store.delete(version.key());
        }
    }

    private static @Nullable Version read(@Nullable Report report) {
        if (report == null) {
            return null;
        }
        Work work = report.work();
        return work == null ? null : new Version(report.status().dataset(), work.dataVersion());
    }
}
