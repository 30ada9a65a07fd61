package millrace.gateway.admin;

import com.fasterxml.jackson.databind.node.ObjectNode;
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
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import java.util.Set;
import java.util.stream.Stream;
import millrace.contracts.Json;
import millrace.gateway.api.documents.DocumentRoutes;
import millrace.gateway.api.documents.DocumentSite;
import millrace.gateway.api.documents.OpenApi;
import millrace.gateway.console.ConsoleFiles;
import org.jspecify.annotations.Nullable;

/**
 * Serves what needs no key: the document of the admin API, the documentation for operators, and their console, which
 * has nothing until an admin key is entered in it.
 */
@Controller
@Requires(beans = AdminKeys.class) // the public API has none
@Produces(MediaType.ALL)
final class AdminOpenRoutes {
    private static final String CONSOLE = "/console";
    private static final String SITE = "/handbook";
    private static final String JSON = "/openapi.json";
    private static final String YAML = "/openapi.yaml";
    private static final Set<String> PATHS = Set.of("/", CONSOLE, SITE, JSON, YAML);

    private final ConsoleFiles console;
    private final DocumentSite site;
    private final byte[] json;
    private final byte[] yaml;

    AdminOpenRoutes(ConsoleFiles console) {
        this.console = console;
        ObjectNode document = OpenApi.adminDocument();
        this.json = Json.bytes(document);
        this.yaml = OpenApi.yaml(document);
        this.site = DocumentSite.forOperators(console.on(), json);
    }

    static boolean serves(String path) {
        return PATHS.contains(path) || Stream.of(CONSOLE, SITE).anyMatch(folder -> path.startsWith(folder + "/"));
    }

    /** For people who open the address in a browser. */
    @Get(value = "/", headRoute = false)
    @Nullable
    HttpResponse<?> root() {
        return console.on() ? HttpResponse.status(HttpStatus.FOUND).header(HttpHeaders.LOCATION, CONSOLE) : null;
    }

    @Get(value = CONSOLE, headRoute = false)
    @Nullable
    HttpResponse<byte[]> console(HttpRequest<?> request) {
        return console.answer(request, ConsoleFiles.INDEX);
    }

    @Get(value = CONSOLE + "/{+path}", headRoute = false)
    @Nullable
    HttpResponse<byte[]> consoleFile(HttpRequest<?> request, @PathVariable String path) {
        return console.answer(request, path);
    }

    @Get(uri = SITE, headRoute = false)
    HttpResponse<?> handbook() {
        return HttpResponse.status(HttpStatus.FOUND).header(HttpHeaders.LOCATION, SITE + "/operation");
    }

    @Get(uri = SITE + "/{name}", headRoute = false)
    @ExecuteOn(TaskExecutors.BLOCKING)
    HttpResponse<byte[]> document(@PathVariable String name) {
        return DocumentRoutes.answer(site, name);
    }

    @Get(uri = JSON, headRoute = false)
    HttpResponse<byte[]> json() {
        return HttpResponse.ok(json).contentType(MediaType.APPLICATION_JSON_TYPE);
    }

    @Get(uri = YAML, headRoute = false)
    HttpResponse<byte[]> yaml() {
        return HttpResponse.ok(yaml).contentType(MediaType.of("application/yaml"));
    }
}
