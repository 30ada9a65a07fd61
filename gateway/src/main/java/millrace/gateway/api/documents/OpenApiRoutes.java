package millrace.gateway.api.documents;

import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Produces;
import millrace.gateway.console.ConsoleFiles;

/** Serves the OpenAPI document. */
@Controller
@Produces(MediaType.ALL)
final class OpenApiRoutes {
    private final PublicApiDocument document;
    private final ConsoleFiles console;

    OpenApiRoutes(PublicApiDocument document, ConsoleFiles console) {
        this.document = document;
        this.console = console;
    }

    /** For people who open the address in a browser. */
    @Get("/")
    HttpResponse<?> root() {
        return HttpResponse.status(HttpStatus.FOUND).header(HttpHeaders.LOCATION, console.on() ? "/console" : "/docs");
    }

    @Get("/openapi.json")
    HttpResponse<byte[]> json() {
        return HttpResponse.ok(document.json()).contentType(MediaType.APPLICATION_JSON_TYPE);
    }

    @Get("/openapi.yaml")
    HttpResponse<byte[]> yaml() {
        return HttpResponse.ok(document.yaml()).contentType(MediaType.of("application/yaml"));
    }
}
