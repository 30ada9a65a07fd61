package millrace.gateway.console;

import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.PathVariable;
import io.micronaut.http.annotation.Produces;
import org.jspecify.annotations.Nullable;

/** Serves the console of clients, to anybody: it has nothing until a key is entered in it. */
@Controller
@Produces(MediaType.ALL)
final class ConsoleRoutes {
    private final ConsoleFiles files;

    ConsoleRoutes(ConsoleFiles files) {
        this.files = files;
    }

    @Get("/console")
    @Nullable
    HttpResponse<byte[]> console(HttpRequest<?> request) {
        return files.answer(request, ConsoleFiles.INDEX);
    }

    /** Scripts, styles and pictures of the page. */
    @Get("/console/{+path}")
    @Nullable
    HttpResponse<byte[]> consoleFile(HttpRequest<?> request, @PathVariable String path) {
        return files.answer(request, path);
    }
}
