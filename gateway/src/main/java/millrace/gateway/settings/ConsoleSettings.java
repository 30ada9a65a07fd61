package millrace.gateway.settings;

import java.net.URI;
import java.nio.file.Path;
import java.util.Set;
import millrace.runtime.settings.Setting;
import org.jspecify.annotations.Nullable;

/** Settings below {@code gateway.console}. */
public record ConsoleSettings(
        @Setting(
                value = "true",
                doc =
                        "whether the web consoles are served at /console: of clients on the port of the API, of operators on that of the admin API")
        boolean enabled,

        @Setting(value = "Millrace", doc = "name of the service in the console, at most 60 characters")
        String operator,

        @Setting(doc = "file with the logo in the console, SVG or PNG of at most 256 KiB; the name where not set")
        @Nullable
        Path logo,

        @Setting(
                doc =
                        "address behind Support in the console, for example mailto:help@example.com; no such link where not set")
        @Nullable
        URI support) {

    private static final int LONGEST_NAME = 60;
    private static final Set<String> SCHEMES = Set.of("https", "http", "mailto");

    public ConsoleSettings {
        if (operator.isBlank() || operator.length() > LONGEST_NAME) {
            throw new IllegalArgumentException(
                    "console.operator must have 1 to " + LONGEST_NAME + " characters: " + operator);
        }
        // A scheme such as javascript: would run in the page of whoever follows it.
        if (support != null && (support.getScheme() == null || !SCHEMES.contains(support.getScheme()))) {
            throw new IllegalArgumentException(
                    "console.support must be like https://example.com/help or mailto:help@example.com: " + support);
        }
    }
}
