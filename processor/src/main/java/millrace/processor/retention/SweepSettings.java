package millrace.processor.retention;

import java.time.Duration;
import millrace.runtime.settings.Setting;

/**
 * Settings of the sweep, the rare listing of the report store.
 *
 * @param age must be longer than the clocks of the services and the store may differ
 * @param unknownPercent largest share of files of this age whose reports the ledger does not know
 */
public record SweepSettings(
        @Setting(
                value = "7d",
                advanced = true,
                doc = "how often the report store is listed for unneeded files that crashes have left; all others are"
                        + " deleted when they are due")
        Duration interval,

        @Setting(
                value = "1d",
                advanced = true,
                doc = "age from which such a file is deleted; longer than any slice takes")
        Duration age,

        @Setting(
                value = "10",
                advanced = true,
                doc = "percent of the files whose reports the ledger may not know; above it no file is deleted")
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
