package millrace.gateway.http;

import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Produces;
import java.time.InstantSource;
import java.time.LocalDate;
import java.time.ZoneOffset;
import millrace.catalog.Catalog;
import millrace.contracts.Json;
import millrace.gateway.openapi.OpenApi;

/** The API's document, and a page to try it. */
@Controller
@Produces(MediaType.ALL)
final class DocumentRoutes {
    private final byte[] json;
    private final byte[] yaml;
    private final byte[] page;

    DocumentRoutes(Catalog catalog, InstantSource clock) {
        var document = OpenApi.document(catalog, LocalDate.ofInstant(clock.instant(), ZoneOffset.UTC));
        this.json = Json.bytes(document);
        this.yaml = OpenApi.yaml(document);
        this.page = OpenApi.page();
    }

    /** Who opens the address in a browser wants to see something. */
    @Get("/")
    HttpResponse<?> root() {
        return HttpResponse.status(HttpStatus.FOUND).header(HttpHeaders.LOCATION, "/docs");
    }

    @Get("/openapi.json")
    HttpResponse<byte[]> json() {
        return HttpResponse.ok(json).contentType(MediaType.APPLICATION_JSON_TYPE);
    }

    @Get("/openapi.yaml")
    HttpResponse<byte[]> yaml() {
        return HttpResponse.ok(yaml).contentType(MediaType.of("application/yaml"));
    }

    @Get("/docs")
    HttpResponse<byte[]> page() {
        return HttpResponse.ok(page).contentType(MediaType.of("text/html; charset=utf-8"));
    }
}
