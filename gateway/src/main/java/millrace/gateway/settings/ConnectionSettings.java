package millrace.gateway.settings;

import java.time.Duration;
import millrace.runtime.settings.Setting;

/** Settings below {@code gateway.connection}: the bounds of one connection. */
public record ConnectionSettings(
        @Setting(value = "16384", advanced = true, doc = "most bytes of a request's headers, without the request line")
        int maxHeaderBytes,

        @Setting(
                value = "10s",
                advanced = true,
                doc = "time from the first byte of a request, or from connecting, to the end of its headers")
        Duration headersWithin,

        @Setting(value = "5m", advanced = true, doc = "time from the end of the headers to the end of the body")
        Duration bodyWithin,

        @Setting(value = "75s", advanced = true, doc = "how long a connection may be idle")
        Duration idle) {

    public ConnectionSettings {
        if (maxHeaderBytes < 1024) {
            throw new IllegalArgumentException("max-header-bytes must be at least 1024: " + maxHeaderBytes);
        }
        if (!headersWithin.isPositive() || !bodyWithin.isPositive() || !idle.isPositive()) {
            throw new IllegalArgumentException("headers-within, body-within and idle must be longer than nothing");
        }
    }
}
