package millrace.gateway.admin;

import io.micronaut.context.annotation.Requires;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Produces;
import java.util.Set;
import millrace.contracts.Json;
import millrace.gateway.api.documents.OpenApi;

/** The document of the admin API. */
@Controller
@Requires(beans = AdminKeys.class) // the public API has none
@Produces(MediaType.ALL)
final class AdminDocumentRoutes {
    private static final String JSON = "/openapi.json";
    private static final String YAML = "/openapi.yaml";

    static final Set<String> PATHS = Set.of(JSON, YAML);

    private final byte[] json = Json.bytes(OpenApi.adminDocument());
    private final byte[] yaml = OpenApi.yaml(OpenApi.adminDocument());

    @Get(uri = JSON, headRoute = false)
    HttpResponse<byte[]> json() {
        return HttpResponse.ok(json).contentType(MediaType.APPLICATION_JSON_TYPE);
    }

    @Get(uri = YAML, headRoute = false)
    HttpResponse<byte[]> yaml() {
        return HttpResponse.ok(yaml).contentType(MediaType.of("application/yaml"));
    }
}
