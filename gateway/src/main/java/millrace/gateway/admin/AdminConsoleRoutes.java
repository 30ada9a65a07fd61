package millrace.gateway.admin;

import io.micronaut.context.annotation.Requires;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.PathVariable;
import io.micronaut.http.annotation.Produces;
import millrace.gateway.console.ConsoleFiles;
import org.jspecify.annotations.Nullable;

/** Serves the console of operators, to anybody: it has nothing until an admin key is entered in it. */
@Controller
@Requires(beans = AdminKeys.class) // the public API has none
@Produces(MediaType.ALL)
final class AdminConsoleRoutes {
    private static final String PATH = "/console";

    private final ConsoleFiles files;

    AdminConsoleRoutes(ConsoleFiles files) {
        this.files = files;
    }

    /** Whether the path is one of the console, or leads to it. */
    static boolean serves(String path) {
        return path.equals("/") || path.equals(PATH) || path.startsWith(PATH + "/");
    }

    /** For people who open the address in a browser. */
    @Get(value = "/", headRoute = false)
    @Nullable
    HttpResponse<?> root() {
        return files.on() ? HttpResponse.status(HttpStatus.FOUND).header(HttpHeaders.LOCATION, PATH) : null;
    }

    @Get(value = PATH, headRoute = false)
    @Nullable
    HttpResponse<byte[]> console(HttpRequest<?> request) {
        return files.answer(request, ConsoleFiles.INDEX);
    }

    @Get(value = PATH + "/{+path}", headRoute = false)
    @Nullable
    HttpResponse<byte[]> consoleFile(HttpRequest<?> request, @PathVariable String path) {
        return files.answer(request, path);
    }
}
