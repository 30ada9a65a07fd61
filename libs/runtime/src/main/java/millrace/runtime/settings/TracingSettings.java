package millrace.runtime.settings;

import java.net.URI;
import org.jspecify.annotations.Nullable;

/**
 * Settings below {@code tracing}.
 *
 * @param endpoint null where nothing is traced
 */
public record TracingSettings(
        @Setting(
                doc =
                        "address that spans are sent to by OTLP over HTTP, such as http://127.0.0.1:4318/v1/traces; without it"
                                + " there are no spans")
        @Nullable
        URI endpoint,

        @Setting(
                value = "100",
                advanced = true,
                doc = "percentage of traces that are recorded where the client's trace context does not decide")
        int percent) {
    public static final String PREFIX = "tracing";

    public TracingSettings {
        if (endpoint != null
                && (endpoint.getHost() == null
                        || !String.valueOf(endpoint.getScheme()).matches("https?"))) {
            throw new IllegalArgumentException("endpoint must be an http or https address: " + endpoint);
        }
        if (percent < 0 || percent > 100) {
            throw new IllegalArgumentException("percent must be from 0 to 100: " + percent);
        }
    }
}
