package millrace.gateway.console;

import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MediaType;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.PathVariable;
import io.micronaut.http.annotation.Produces;
import java.util.Arrays;
import millrace.gateway.console.ConsoleFiles.ConsoleFile;
import org.jspecify.annotations.Nullable;

/** Serves the web console, to anybody: it has nothing until a key is entered in it. */
@Controller
@Produces(MediaType.ALL)
public final class ConsoleRoutes {
    /**
     * Nothing comes from elsewhere, nothing in a page can become script, and no other page may frame
     * this one. lit-html is the one that writes HTML, from the texts of its templates.
     */
    static final String POLICY =
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
                    + "font-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'; "
                    + "require-trusted-types-for 'script'; trusted-types lit-html";

    private final ConsoleFiles files;

    ConsoleRoutes(ConsoleFiles files) {
        this.files = files;
    }

    @Get("/console")
    @Nullable
    HttpResponse<byte[]> console(HttpRequest<?> request) {
        return answer(request, ConsoleFiles.INDEX);
    }

    /** Scripts, styles and pictures of the page. */
    @Get("/console/{+path}")
    @Nullable
    HttpResponse<byte[]> consoleFile(HttpRequest<?> request, @PathVariable String path) {
        return answer(request, path);
    }

    /** Null, which is 404, where there is no such file. */
    private @Nullable HttpResponse<byte[]> answer(HttpRequest<?> request, String path) {
        return files.file(path).map(file -> answer(request, file)).orElse(null);
    }

    private static MutableHttpResponse<byte[]> answer(HttpRequest<?> request, ConsoleFile file) {
        String known = request.getHeaders().get(HttpHeaders.IF_NONE_MATCH);
        boolean same = known != null
                && Arrays.stream(known.split(",", -1))
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
}
