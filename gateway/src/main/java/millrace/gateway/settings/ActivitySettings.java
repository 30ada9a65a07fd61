package millrace.gateway.settings;

import java.nio.file.Path;
import millrace.runtime.settings.Setting;

/** Settings below {@code gateway.activity}. */
public record ActivitySettings(
        @Setting(
                value = "data/activity",
                doc =
                        "folder of this gateway alone for what it has read of accounts' reports and credits; built again from Kafka where it is missing")
        Path directory) {}
