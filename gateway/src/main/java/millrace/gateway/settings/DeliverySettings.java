package millrace.gateway.settings;

import java.nio.file.Path;
import millrace.runtime.settings.Setting;

/** Settings below {@code gateway.deliveries}. */
public record DeliverySettings(
        @Setting(
                value = "data/deliveries",
                doc =
                        "folder of this gateway alone for the webhook deliveries that can be listed and resent; built again from Kafka where it is missing")
        Path directory) {}
