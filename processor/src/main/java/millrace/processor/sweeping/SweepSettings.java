package millrace.processor.sweeping;

import java.time.Duration;
import millrace.runtime.settings.Setting;

/**
 * When files that no report needs are deleted.
 *
 * @param age bounds what clocks may differ by, those of all services and of the store
 * @param unknownPercent of the files of that age
 */
public record SweepSettings(
        @Setting(value = "1h", doc = "how often the report store is searched for files that no report needs")
        Duration interval,

        @Setting(value = "1d", doc = "age from which such a file is deleted; longer than any slice takes")
        Duration age,

        @Setting(
                value = "10",
                doc = "percent of the files whose reports the ledger may not know; where more are, none is deleted")
        int unknownPercent) {

    public SweepSettings {
        if (!interval.isPositive() || !age.isPositive()) {
            throw new IllegalArgumentException("interval and age must be positive");
        }
        if (unknownPercent < 0 || unknownPercent > 100) {
            throw new IllegalArgumentException("unknown-percent must be from 0 to 100: " + unknownPercent);
        }
    }
}
