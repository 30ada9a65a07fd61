package millrace.gateway.copy.activity;

import java.nio.file.Path;
import millrace.gateway.copy.database.LocalDatabase;
import millrace.gateway.copy.database.RowBatch;
import millrace.gateway.copy.database.RowKey;

/** Usage of one account, in a database of its own: each day a report for each of many values of a tag. */
public final class StoredTagUsage implements AutoCloseable {
    public static final String ACCOUNT = "acme";
    public static final String TAG = "job";
    public static final int TODAY = 20_779;
    private static final String DATASET = "demographics";

    private final LocalDatabase database;

    public StoredTagUsage(Path folder, int days, int values) {
        database = LocalDatabase.open(folder, ActivityStore.BOUNDS);
        for (int day = TODAY - days + 1; day <= TODAY; day++) {
            try (RowBatch batch = database.batch()) {
                for (int value = 0; value < values; value++) {
                    batch.put(
                            ActivityFold.tagUsageKey(day, ACCOUNT, TAG)
                                    .text("value-" + value)
                                    .text(DATASET),
                            new UsedCredits(2, 1).bytes());
                }
                batch.put(
                        RowKey.in(Table.USAGE).day(day).text(ACCOUNT).text(DATASET),
                        new UsedCredits(2L * values, values).bytes());
                database.write(batch);
            }
        }
    }

    public ActivityQueries queries() {
        return new ActivityQueries(database, new KeptDays(TODAY));
    }

    @Override
    public void close() {
        database.close();
    }
}
