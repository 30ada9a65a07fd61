package millrace.gateway.console;

import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MediaType;
import io.micronaut.http.MutableHttpResponse;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
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
 * The files of a console: that of clients, or that of operators, which share styles and modules. What was asked for once
 * stays in memory: all of them are less than 1 MiB. Safe for use by many threads.
 */
public final class ConsoleFiles {
    /** The page that all others are within. */
    public static final String INDEX = "";

    /**
     * Nothing comes from elsewhere, nothing in a page can become script, and no other page may frame
     * this one. lit-html is the one that writes HTML, from the texts of its templates.
     */
    static final String POLICY =
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
                    + "font-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'; "
                    + "require-trusted-types-for 'script'; trusted-types lit-html";

    /** Version of the lit-html webjar, as in the pom. */
    private static final String LIT_HTML = "/META-INF/resources/webjars/lit-html/3.3.1/";

    private static final Pattern NAME = Pattern.compile("(lit-html/)?((?:[a-z]+/)?[a-z-]+)\\.(js|css|svg)");
    private static final Map<String, String> TYPES =
            Map.of("js", "text/javascript; charset=utf-8", "css", "text/css; charset=utf-8", "svg", "image/svg+xml");
    private static final int LARGEST_LOGO = 256 << 10;

    private final boolean on;
    private final Audience audience;
    private final Map<String, ConsoleFile> files = new ConcurrentHashMap<>();

    /** @param etag quoted, of the content */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record ConsoleFile(byte[] content, MediaType type, String etag) {
        static ConsoleFile of(byte[] content, String type) {
            return new ConsoleFile(
                    content, MediaType.of(type), '"' + Hashes.sha256(content).substring(0, 32) + '"');
        }
    }

    /** Whose console it is. */
    public enum Audience {
        CLIENTS("index.html", Pattern.compile("(?!operator/).*")),
        OPERATORS("operator/index.html", Pattern.compile("(?!pages/|app\\.js).*"));

        private final String page;
        /** Nobody gets the pages of the other one. */
        private final Pattern names;

        Audience(String page, Pattern names) {
            this.page = page;
            this.names = names;
        }
    }

    private ConsoleFiles(boolean on, Audience audience) {
        this.on = on;
        this.audience = audience;
    }

    /** @throws SettingsException where the logo cannot be used; its message is one line */
    public static ConsoleFiles load(ConsoleSettings settings, Audience audience) {
        var console = new ConsoleFiles(settings.enabled(), audience);
        if (settings.enabled()) {
            Path logo = settings.logo();
            String name = logo == null ? "" : logoName(logo);
            if (logo != null) {
                console.files.put(name, logo(logo, name));
            }
            console.files.put(INDEX, index(settings, audience, name));
        }
        return console;
    }

    /** Whether there is a console. */
    public boolean on() {
        return on;
    }

    /**
     * The answer to a request for a file; null, which is 404, where there is none.
     *
     * @param path below {@code /console/}, or {@link #INDEX}
     */
    public @Nullable HttpResponse<byte[]> answer(HttpRequest<?> request, String path) {
        return file(path).map(file -> answer(request, file)).orElse(null);
    }

    private static MutableHttpResponse<byte[]> answer(HttpRequest<?> request, ConsoleFile file) {
        boolean same = request.getHeaders().getAll(HttpHeaders.IF_NONE_MATCH).stream()
                .flatMap(known -> Arrays.stream(known.split(",", -1)))
                .anyMatch(tag -> tag.strip().replaceFirst("^W/", "").equals(file.etag()));
        MutableHttpResponse<byte[]> answer = same
                ? HttpResponse.status(HttpStatus.NOT_MODIFIED)
                : HttpResponse.ok(file.content()).contentType(file.type());
        // Asked again each time, so that the pages and their modules are always those of one build.
        return answer.header(HttpHeaders.CACHE_CONTROL, "no-cache")
                // Weak, since the answer may be compressed on its way.
                .header(HttpHeaders.ETAG, "W/" + file.etag())
                .header("Content-Security-Policy", POLICY);
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
        if (!name.matches() || !audience.names.matcher(path).matches()) {
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
    private static ConsoleFile index(ConsoleSettings settings, Audience audience, String logo) {
        String page = new String(read(audience.page).orElseThrow(), StandardCharsets.UTF_8)
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
