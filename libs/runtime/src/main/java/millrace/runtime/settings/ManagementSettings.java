package millrace.runtime.settings;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Settings below {@code management}.
 *
 * @param port null for no server, 0 for any free port
 */
public record ManagementSettings(
        @Setting(
                value = "127.0.0.1",
                doc =
                        "address of /metrics, /health/live and /health/ready; they need no key, so let only monitoring reach them")
        String host,

        @Setting(
                first = true,
                doc =
                        "port of /metrics, /health/live and /health/ready, 0 for any free port; without it there is no such server")
        @Nullable
        Integer port,

        @Setting(
                value = "0s",
                doc = "how long a service that is asked to stop still serves, not ready, so that load balancers notice")
        Duration drain) {
    public static final String PREFIX = "management";

    public ManagementSettings {
        if (port != null && (port < 0 || port > 65_535)) {
            throw new IllegalArgumentException("port must be from 0 to 65535: " + port);
        }
    }
}
