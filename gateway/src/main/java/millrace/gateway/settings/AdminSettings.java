package millrace.gateway.settings;

import java.nio.file.Path;
import millrace.runtime.settings.Setting;
import org.jspecify.annotations.Nullable;

/**
 * Settings below {@code gateway.admin}.
 *
 * @param keys null where there is no admin API
 */
public record AdminSettings(
        @Setting(value = "127.0.0.1", doc = "address that the admin API listens on")
        String host,

        @Setting(value = "8081", first = true, doc = "port of the admin API, 0 for any free port")
        int port,

        @Setting(doc = "file with the admin keys, a name and a key per line; without it there is no admin API")
        @Nullable
        Path keys) {

    public AdminSettings {
        if (port < 0 || port > 65_535) {
            throw new IllegalArgumentException("port must be from 0 to 65535: " + port);
        }
    }
}
