package millrace.gateway.api.documents;

import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MediaType;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.PathVariable;
import java.util.List;
import java.util.Map;
import millrace.gateway.console.ConsoleFiles;
import millrace.gateway.problems.ProblemCode;
import millrace.gateway.server.BlockingRoutes;
import millrace.gateway.server.JsonResponses;

/** Serves the documentation for clients, and the descriptions of the API and of the public topics. They need no key. */
@Controller
@BlockingRoutes
public final class DocumentRoutes {
    private static final MediaType YAML = MediaType.of("application/yaml");
    private static final MediaType SCHEMA = MediaType.of("application/schema+json");

    private final PublicApiDocument api;
    private final ConsoleFiles console;
    private final DocumentSite site;
    private final TopicDocuments topics = new TopicDocuments();

    DocumentRoutes(PublicApiDocument api, ConsoleFiles console) {
        this.api = api;
        this.console = console;
        this.site = DocumentSite.forClients(console.on(), api::json);
    }

    /** For people who open the address in a browser. */
    @Get("/")
    HttpResponse<?> root() {
        return HttpResponse.status(HttpStatus.FOUND).header(HttpHeaders.LOCATION, console.on() ? "/console" : "/docs");
    }

    @Get("/openapi.json")
    HttpResponse<byte[]> openApiJson() {
        return HttpResponse.ok(api.json()).contentType(MediaType.APPLICATION_JSON_TYPE);
    }

    @Get("/openapi.yaml")
    HttpResponse<byte[]> openApiYaml() {
        return HttpResponse.ok(api.yaml()).contentType(YAML);
    }

    @Get("/docs")
    HttpResponse<?> docs() {
        return HttpResponse.status(HttpStatus.FOUND).header(HttpHeaders.LOCATION, "/docs/requests");
    }

    @Get("/docs/{name}")
    HttpResponse<byte[]> document(@PathVariable String name) {
        return answer(site, name);
    }

    /** The answer to a request for a document; 404 names the pages. */
    public static HttpResponse<byte[]> answer(DocumentSite site, String name) {
        return site.document(name).map(DocumentRoutes::answer).orElseGet(() -> missing(site.names()));
    }

    private static MutableHttpResponse<byte[]> answer(DocumentSite.Document document) {
        var answer = HttpResponse.ok(document.content()).contentType(MediaType.of(document.type()));
        return document.policy() == null ? answer : answer.header("Content-Security-Policy", document.policy());
    }

    private static MutableHttpResponse<byte[]> missing(List<String> names) {
        return JsonResponses.problem(
                ProblemCode.NOT_FOUND,
                "There is no document of that name here; there are " + String.join(", ", names) + ".");
    }

    @Get("/llms.txt")
    HttpResponse<byte[]> llms() {
        return HttpResponse.ok(site.llms()).contentType(MediaType.of("text/plain; charset=utf-8"));
    }

    @Get("/asyncapi.yaml")
    HttpResponse<byte[]> asyncapi() {
        return HttpResponse.ok(topics.asyncapi()).contentType(YAML);
    }

    /** The names of the schemas, as JSON. */
    @Get("/schemas")
    HttpResponse<byte[]> schemas() {
        return JsonResponses.ok(Map.of(
                "schemas",
                TopicDocuments.schemas().stream()
                        .map(file -> TopicDocuments.SCHEMAS + "/" + file)
                        .toList()));
    }

    @Get("/schemas/{file}")
    HttpResponse<byte[]> schema(@PathVariable String file) {
        return topics.schema(file)
                .<MutableHttpResponse<byte[]>>map(
                        schema -> HttpResponse.ok(schema).contentType(SCHEMA))
                .orElseGet(() -> missing(TopicDocuments.schemas()));
    }
}
