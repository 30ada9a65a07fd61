package millrace.processor.sweeping;

import java.time.Duration;
import millrace.runtime.Setting;

/**
 * When files that no report needs are deleted.
 *
 * @param age bounds what clocks may differ by, those of all services and of the store
 */
public record SweepSettings(
        @Setting(value = "1h", doc = "how often the report store is searched for files that no report needs")
        Duration interval,

        @Setting(value = "1d", doc = "age from which such a file is deleted; longer than any slice takes")
        Duration age) {

    public SweepSettings {
        if (!interval.isPositive() || !age.isPositive()) {
            throw new IllegalArgumentException("interval and age must be positive");
        }
    }
}
