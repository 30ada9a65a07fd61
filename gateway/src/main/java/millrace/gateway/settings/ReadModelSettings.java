package millrace.gateway.settings;

import java.nio.file.Path;
import millrace.runtime.settings.Setting;

/** Settings below {@code gateway.read-model}. */
public record ReadModelSettings(
        @Setting(
                value = "data/read-model",
                doc =
                        "folder of this gateway alone for the reports and balances that it answers from; built again from Kafka where it is missing")
        Path directory,

        @Setting(
                value = "67108864",
                advanced = true, doc =
                        "most bytes of these reports that are kept in memory, outside of the heap, to be read without the disk")
        long cacheBytes) {

    private static final long LEAST = 1 << 20;

    public ReadModelSettings {
        if (cacheBytes < LEAST) {
            throw new IllegalArgumentException("cache-bytes must be at least " + LEAST + ": " + cacheBytes);
        }
    }
}
