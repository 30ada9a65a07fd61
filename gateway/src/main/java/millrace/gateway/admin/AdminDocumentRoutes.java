package millrace.gateway.admin;

import io.micronaut.context.annotation.Requires;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.PathVariable;
import io.micronaut.http.annotation.Produces;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import millrace.contracts.Json;
import millrace.gateway.api.documents.DocumentRoutes;
import millrace.gateway.api.documents.DocumentSite;
import millrace.gateway.api.documents.OpenApi;
import millrace.gateway.console.ConsoleFiles;

/** The document of the admin API, and the documentation for operators. */
@Controller
@Requires(beans = AdminKeys.class) // the public API has none
@Produces(MediaType.ALL)
final class AdminDocumentRoutes {
    private static final String JSON = "/openapi.json";
    private static final String YAML = "/openapi.yaml";

    private static final String SITE = "/handbook";

    private final DocumentSite site;

    private final byte[] json = Json.bytes(OpenApi.adminDocument());
    private final byte[] yaml = OpenApi.yaml(OpenApi.adminDocument());

    AdminDocumentRoutes(ConsoleFiles console) {
        site = DocumentSite.forOperators(console.on());
    }

    /** Whether the path is that of a document, which needs no key. */
    static boolean serves(String path) {
        return path.equals(JSON) || path.equals(YAML) || path.equals(SITE) || path.startsWith(SITE + "/");
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
