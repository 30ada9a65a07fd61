package millrace.standalone.folder;

import java.nio.file.Path;
import java.time.LocalDate;
import millrace.runtime.settings.Setting;
import org.jspecify.annotations.Nullable;

/**
 * Settings below {@code standalone}.
 *
 * @param demoLastDay null for yesterday
 */
public record StandaloneSettings(
        @Setting(value = "data", first = true, doc = "folder with all state")
        Path data,

        @Setting(
                value = "0",
                doc = "port of the embedded Kafka; 0 for that of the last start, at first 9092 or the next free one")
        int kafkaPort,

        @Setting(
                value = "false",
                first = true,
                doc = "whether every record and file is forced to disk, so that it survives power loss")
        boolean fsync,

        @Setting(value = "20261101", advanced = true, doc = "seed of the demo data, used when they are generated")
        long demoSeed,

        @Setting(advanced = true, doc = "last day of the demo data; yesterday where not set") @Nullable
        LocalDate demoLastDay) {
    public static final String PREFIX = "standalone";

    public StandaloneSettings {
        if (kafkaPort < 0 || kafkaPort > 65_535) {
            throw new IllegalArgumentException("kafka-port must be from 0 to 65535: " + kafkaPort);
        }
    }
}
