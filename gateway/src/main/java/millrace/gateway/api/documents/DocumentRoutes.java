package millrace.gateway.api.documents;

import io.micronaut.http.HttpResponse;
import io.micronaut.http.MediaType;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.PathVariable;
import io.micronaut.http.annotation.Produces;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import java.util.List;
import millrace.gateway.problems.ProblemCode;
import millrace.gateway.server.JsonResponses;

/** Serves the page to try the API, the guides, and the description of the public topics. They need no key. */
@Controller
@Produces(MediaType.ALL)
@ExecuteOn(TaskExecutors.BLOCKING)
final class DocumentRoutes {
    private static final MediaType HTML = MediaType.of("text/html; charset=utf-8");
    private static final MediaType CSS = MediaType.of("text/css; charset=utf-8");
    private static final MediaType JAVASCRIPT = MediaType.of("text/javascript; charset=utf-8");
    private static final MediaType YAML = MediaType.of("application/yaml");
    private static final MediaType SCHEMA = MediaType.of("application/schema+json");

    private static final String POLICY = "Content-Security-Policy";
    private static final String NOTHING =
            "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; ";
    private static final String OF_TEXT = NOTHING + "style-src 'self'; require-trusted-types-for 'script'";
    /** Swagger UI sets styles of single elements, and its style sheet has small images in it. */
    private static final String OF_THE_API =
            NOTHING + "script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'";

    private final GuidePages guides = new GuidePages();
    private final TopicDocuments topics = new TopicDocuments();
    private final byte[] api = GuidePages.apiPage();

    @Get("/docs")
    HttpResponse<byte[]> api() {
        return HttpResponse.ok(api).contentType(HTML).header(POLICY, OF_THE_API);
    }

    @Get("/docs/{page}")
    HttpResponse<byte[]> guide(@PathVariable String page) {
        return Guide.named(page)
                .<MutableHttpResponse<byte[]>>map(guide ->
                        HttpResponse.ok(guides.page(guide)).contentType(HTML).header(POLICY, OF_TEXT))
                .orElseGet(() -> missing(Guide.names()));
    }

    @Get("/docs/style.css")
    HttpResponse<byte[]> style() {
        return HttpResponse.ok(Resources.bytes("style.css")).contentType(CSS);
    }

    @Get("/docs/api.js")
    HttpResponse<byte[]> script() {
        return HttpResponse.ok(Resources.bytes("api.js")).contentType(JAVASCRIPT);
    }

    @Get("/asyncapi.yaml")
    HttpResponse<byte[]> asyncapi() {
        return HttpResponse.ok(topics.asyncapi()).contentType(YAML);
    }

    @Get("/schemas/{file}")
    HttpResponse<byte[]> schema(@PathVariable String file) {
        return topics.schema(file)
                .<MutableHttpResponse<byte[]>>map(
                        schema -> HttpResponse.ok(schema).contentType(SCHEMA))
                .orElseGet(() -> missing(TopicDocuments.schemas()));
    }

    private static MutableHttpResponse<byte[]> missing(List<String> names) {
        return JsonResponses.problem(
                ProblemCode.NOT_FOUND,
                "There is no document of that name here; there are " + String.join(", ", names) + ".");
    }
}
