package millrace.gateway.console;

import io.micronaut.http.MediaType;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import millrace.contracts.Hashes;
import millrace.gateway.settings.ConsoleSettings;
import millrace.runtime.settings.SettingsException;
import org.jspecify.annotations.Nullable;

/**
 * The files of the console. What was asked for once stays in memory: all of them are less than 1
 * MiB. Safe for use by many threads.
 */
public final class ConsoleFiles {
    /** The page that all others are within. */
    static final String INDEX = "";

    /** Version of the lit-html webjar, as in the pom. */
    private static final String LIT_HTML = "/META-INF/resources/webjars/lit-html/3.3.1/";

    private static final Pattern NAME = Pattern.compile("(lit-html/)?((?:[a-z]+/)?[a-z-]+)\\.(js|css|svg)");
    private static final Map<String, String> TYPES =
            Map.of("js", "text/javascript; charset=utf-8", "css", "text/css; charset=utf-8", "svg", "image/svg+xml");
    private static final int LARGEST_LOGO = 256 << 10;

    private final boolean on;
    private final Map<String, ConsoleFile> files = new ConcurrentHashMap<>();

    /** @param etag quoted, of the content */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record ConsoleFile(byte[] content, MediaType type, String etag) {
        static ConsoleFile of(byte[] content, String type) {
            return new ConsoleFile(
                    content, MediaType.of(type), '"' + Hashes.sha256(content).substring(0, 32) + '"');
        }
    }

    private ConsoleFiles(boolean on) {
        this.on = on;
    }

    /** @throws SettingsException where the logo cannot be used; its message is one line */
    public static ConsoleFiles load(ConsoleSettings settings) {
        var console = new ConsoleFiles(settings.enabled());
        if (settings.enabled()) {
            Path logo = settings.logo();
            String name = logo == null ? "" : logoName(logo);
            if (logo != null) {
                console.files.put(name, logo(logo, name));
            }
            console.files.put(INDEX, index(settings, name));
        }
        return console;
    }

    /** Whether there is a console. */
    public boolean on() {
        return on;
    }

    /** @param path below {@code /console/} */
    Optional<ConsoleFile> file(String path) {
        if (!on) {
            return Optional.empty();
        }
        @Nullable ConsoleFile known = files.get(path);
        if (known != null) {
            return Optional.of(known);
        }
        Matcher name = NAME.matcher(path);
        if (!name.matches()) {
            return Optional.empty();
        }
        String resource = name.group(1) == null
                ? path
                : LIT_HTML + path.substring(name.group(1).length());
        Optional<ConsoleFile> read =
                read(resource).map(content -> ConsoleFile.of(content, String.valueOf(TYPES.get(name.group(3)))));
        // Only files that exist are kept, so that nobody can fill the memory with names.
        read.ifPresent(file -> files.put(path, file));
        return read;
    }

    private static Optional<byte[]> read(String resource) {
        try (InputStream in = ConsoleFiles.class.getResourceAsStream(resource)) {
            return in == null ? Optional.empty() : Optional.of(in.readAllBytes());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The page with what the operator has set. */
    private static ConsoleFile index(ConsoleSettings settings, String logo) {
        String page = new String(read("index.html").orElseThrow(), StandardCharsets.UTF_8)
                .replace("{operator}", escaped(settings.operator()))
                .replace("{logo}", logo)
                .replace(
                        "{support}",
                        settings.support() == null
                                ? ""
                                : escaped(settings.support().toString()));
        return ConsoleFile.of(page.getBytes(StandardCharsets.UTF_8), "text/html; charset=utf-8");
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }

    private static String logoName(Path file) {
        String name = String.valueOf(file.getFileName());
        if (name.endsWith(".svg")) {
            return "logo.svg";
        }
        if (name.endsWith(".png")) {
            return "logo.png";
        }
        throw new SettingsException("gateway.console.logo must be a file .svg or .png: " + file);
    }

    private static ConsoleFile logo(Path file, String name) {
        try {
            if (Files.size(file) > LARGEST_LOGO) {
                throw new SettingsException("gateway.console.logo must have at most 256 KiB: " + file);
            }
            return ConsoleFile.of(Files.readAllBytes(file), name.endsWith(".svg") ? "image/svg+xml" : "image/png");
        } catch (IOException e) {
            throw new SettingsException("gateway.console.logo cannot be read: " + e);
        }
    }
}
