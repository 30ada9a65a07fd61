package millrace.gateway.api.documents;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion;
import com.networknt.schema.ValidationMessage;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Delete;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Patch;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.Put;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Method;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import millrace.catalog.Catalog;
import millrace.catalog.access.Entitlements;
import millrace.catalog.dataset.CapabilityCategory;
import millrace.catalog.dataset.Dataset;
import millrace.catalog.dataset.RequestFields;
import millrace.catalog.original.NestedBody;
import millrace.catalog.original.ReadBody;
import millrace.catalog.validation.CheckedRequest;
import millrace.catalog.validation.RequestContext;
import millrace.catalog.validation.RequestLimits;
import millrace.catalog.validation.RequestValidator;
import millrace.contracts.Json;
import millrace.contracts.accounts.KeyScope;
import millrace.contracts.requests.ApiDialect;
import millrace.gateway.ServiceDescription;
import millrace.gateway.access.RequiredScopes;
import millrace.gateway.api.webhooks.WebhookTestSender;
import millrace.gateway.problems.ProblemCode;
import millrace.gateway.server.TakesParameters;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class OpenApiTest {
    private static final LocalDate TODAY = LocalDate.parse("2026-11-21");
    private static final Catalog CATALOG = Catalog.builtIn();
    private static final JsonNode DOCUMENT = OpenApi.document(CATALOG, TODAY);
    private static final Pattern QUERY_PARAMETER = Pattern.compile(
            "(?:[pP]arameters(?:\\(\\))?\\s*\\.get(?:All)?\\(|(?:integer|words|parsed)\\(http, )\"(\\w+)\"");
    /** The answer to what the protocol of agents gives no answer to. */
    private static final JsonNode HEARD = TextNode.valueOf("A notification was heard.");

    private static final List<Class<?>> ROUTES = routes();

    /** All controllers but those of the admin API. */
    private static List<Class<?>> routes() {
        try {
            Path classes = Path.of(OpenApi.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
            try (Stream<Path> files = Files.walk(classes.resolve("millrace/gateway"))) {
                List<Class<?>> routes = new ArrayList<>();
                for (Path file : files.filter(f -> f.toString().endsWith("Routes.class"))
                        .sorted()
                        .toList()) {
                    String name = classes.relativize(file).toString().replace('/', '.');
                    Class<?> found = Class.forName(name.substring(0, name.length() - ".class".length()));
                    if (found.isAnnotationPresent(Controller.class) && !name.startsWith("millrace.gateway.admin.")) {
                        routes.add(found);
                    }
                }
                return routes;
            }
        } catch (IOException | URISyntaxException | ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
    }

    private static final Entitlements EVERYTHING = everything();

    private static Entitlements everything() {
        Map<CapabilityCategory, Entitlements.Access> everything = new EnumMap<>(CapabilityCategory.class);
        for (CapabilityCategory category : CapabilityCategory.values()) {
            everything.put(
                    category, new Entitlements.Access(Set.of("US", "WW"), TODAY.minusYears(3), TODAY.minusDays(1)));
        }
        return new Entitlements(everything);
    }

    static Stream<Dataset> datasets() {
        return CATALOG.datasets().stream();
    }

    @ParameterizedTest
    @MethodSource("datasets")
    void givesExamplesThatAreAccepted(Dataset dataset) {
        CheckedRequest checked = new RequestValidator(RequestLimits.DEFAULT)
                .validate(dataset, Json.bytes(ExampleRequest.of(dataset, TODAY)), EVERYTHING, ApiDialect.V3);
        assertThat(checked).as(checked.toString()).isInstanceOf(CheckedRequest.Valid.class);
    }

    /** In the body of v4 and v5, too. */
    @ParameterizedTest
    @MethodSource("datasets")
    void givesNestedExamplesThatAreAccepted(Dataset dataset) {
        ObjectNode nested = NestedRequest.example(dataset, ExampleRequest.of(dataset, TODAY));
        assertThat(problems("NestedRequest", nested)).isEmpty();
        var v3 = new ByteArrayOutputStream();
        ReadBody body = NestedBody.translate(new ByteArrayInputStream(Json.bytes(nested)), v3, CATALOG);
        assertThat(body.dataset()).contains(dataset);
        CheckedRequest checked = new RequestValidator(RequestLimits.DEFAULT)
                .validate(
                        dataset,
                        new ByteArrayInputStream(v3.toByteArray()),
                        new RequestContext(
                                EVERYTHING, ApiDialect.ORIGINAL, granularity -> Optional.empty(), body.sent()));
        assertThat(checked).as(checked.toString()).isInstanceOf(CheckedRequest.Valid.class);
    }

    @Test
    void allowsPagingAsClientsOfTheOriginalWriteIt() {
        Dataset dataset = CATALOG.datasets().iterator().next();
        ObjectNode body = NestedRequest.example(dataset, ExampleRequest.of(dataset, TODAY));
        ObjectNode paging = ((ObjectNode) body.at("/report_query/tables/0")).putObject("paging");
        paging.put("limit", 100).put("offset", 200).put("sort_asc", "true");
        assertThat(problems("NestedRequest", body)).isEmpty();
        paging.put("sort_asc", false);
        assertThat(problems("NestedRequest", body)).isEmpty();
        paging.put("offset", -1);
        assertThat(problems("NestedRequest", body)).isNotEmpty();
    }

    /**
     * What the schema of a dataset allows and what the service accepts are the same, for each field without and with
     * values at and beyond its bounds.
     */
    @ParameterizedTest
    @MethodSource("datasets")
    void allowsWhatIsAccepted(Dataset dataset) {
        var validator = new RequestValidator(RequestLimits.DEFAULT);
        ObjectNode example = ExampleRequest.of(dataset, TODAY);
        List<String> differences = new ArrayList<>();
        for (String field : RequestFields.of(dataset).spellings(false)) {
            for (String value : VALUES) {
                ObjectNode body = example.deepCopy();
                body.set(field, json(value));
                boolean allowed = problems("Request_" + dataset.name(), body).isEmpty();
                CheckedRequest checked = validator.validate(dataset, Json.bytes(body), EVERYTHING, ApiDialect.V3);
                boolean unsaid = UNSAID.stream().anyMatch(checked.toString()::contains);
                if (allowed != checked instanceof CheckedRequest.Valid && !unsaid) {
                    differences.add(field + " " + value + (allowed ? " is refused: " + checked : " is accepted"));
                }
            }
            ObjectNode without = example.deepCopy();
            without.remove(field);
            assertThat(problems("Request_" + dataset.name(), without).isEmpty())
                    .as("without %s", field)
                    .isEqualTo(
                            validator.validate(dataset, Json.bytes(without), EVERYTHING, ApiDialect.V3)
                                    instanceof CheckedRequest.Valid);
        }
        assertThat(differences).isEmpty();
    }

    private static final List<String> VALUES = List.of(
            "null",
            "true",
            "false",
            "0",
            "1",
            "-1",
            "1.5",
            "1000000",
            "1000001",
            "1000000000",
            "1000000001",
            "30",
            "31",
            "99999999999999999999",
            "''",
            "' '",
            "'x'",
            "'example.com'",
            "'none'",
            "'csv'",
            "'\\u0007'",
            "'2026-09'",
            "'2026-09-01'",
            "'2026-9'",
            "'" + "n".repeat(200) + "'",
            "'" + "n".repeat(201) + "'",
            "[]",
            "['']",
            "['US']",
            "['us']",
            "['USA']",
            "['world']",
            "[1]",
            "[-1]",
            "[2147483648]",
            "[null]",
            "['example.com']",
            "['a b']",
            "['-a.example']",
            "[' ']",
            "['\\u0007']",
            "['" + "k".repeat(501) + "']",
            "'2026-13'",
            "{}",
            "{'x':1}",
            "{'team':'seo'}",
            "{'team':' '}",
            "{'team':'\\u0007'}");

    /** Words of the refusals that follow from several fields together, which the schema does not say. */
    private static final List<String> UNSAID =
            List.of("says something else than", "is above", "is before start_date", "is not offered for domain;");

    private static JsonNode json(String value) {
        try {
            return Json.MAPPER.readTree(value.replace('\'', '"'));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void refusesWhatNoDatasetHas() {
        Dataset dataset = CATALOG.datasets().iterator().next();
        ObjectNode body = ExampleRequest.of(dataset, TODAY).put("no_such_field", 1);
        assertThat(problems("Request_" + dataset.name(), body)).isNotEmpty();
        JsonNode form = DOCUMENT.at("/paths/~1v3~1batch~1" + dataset.name()
                + "~1request-report/post/requestBody/content/multipart~1form-data/schema");
        ObjectNode parts = Json.MAPPER.createObjectNode();
        parts.set("request", ExampleRequest.of(dataset, TODAY));
        assertThat(problems((ObjectNode) form.deepCopy(), parts)).isEmpty();
        assertThat(problems((ObjectNode) form.deepCopy(), parts.put("more", "x")))
                .isNotEmpty();
    }

    /** A client finds the id of each operation that needs one in the answer of another one. */
    @Test
    void linksToEveryOperationThatNeedsAnId() {
        for (JsonNode document : List.of(DOCUMENT, OpenApi.adminDocument())) {
            Map<String, Set<String>> needed = new TreeMap<>();
            document.path("paths").properties().forEach(path -> {
                Set<String> ids = new TreeSet<>();
                Pattern.compile("\\{(\\w+)}").matcher(path.getKey()).results().forEach(m -> ids.add(m.group(1)));
                path.getValue().properties().stream()
                        .filter(operation -> operation.getValue().has("operationId") && !ids.isEmpty())
                        .forEach(operation -> needed.put(
                                operation.getValue().path("operationId").asText(), ids));
            });
            // A link that is signed is followed as it is; the names of pages and files are in the document.
            needed.keySet().removeAll(List.of("download", "document", "schema"));
            Map<String, Set<String>> linked = new TreeMap<>();
            for (JsonNode links : document.findValues("links")) {
                links.forEach(link -> {
                    Set<String> ids = new TreeSet<>();
                    link.path("parameters").properties().forEach(parameter -> ids.add(parameter.getKey()));
                    linked.put(link.path("operationId").asText(), ids);
                });
            }
            linked.keySet().removeIf(id -> id.equals("requestQueryOfParameter"));
            assertThat(linked).isEqualTo(needed);
        }
    }

    /** Neither as filters that are null, nor as months if the report has days. */
    @Test
    void allowsNoRequestWithoutWhatItNeeds() {
        for (Dataset dataset : CATALOG.datasets()) {
            ObjectNode body = ExampleRequest.of(dataset, TODAY);
            assertThat(problems("Request_" + dataset.name(), body)).isEmpty();
            body.remove(dataset.entity().field());
            body.putNull("filters");
            assertThat(problems("Request_" + dataset.name(), body)).isNotEmpty();
        }
        ObjectNode daily = ExampleRequest.of(
                        CATALOG.dataset("traffic_and_engagement").orElseThrow(), TODAY)
                .put("granularity", "daily")
                .put("start_date", "2026-10-01")
                .put("end_date", "2026-10-31");
        assertThat(problems("Request_traffic_and_engagement", daily)).isEmpty();
        assertThat(problems("Request_traffic_and_engagement", daily.put("end_date", "2026-10")))
                .isNotEmpty();
        assertThat(problems("Request_traffic_and_engagement", daily.put("granularity", "monthly")))
                .isEmpty();
    }

    /** Those of the service's public description, in both spellings, and with what can be in filters there. */
    @ParameterizedTest
    @MethodSource("descriptions")
    void allowsTheRequestsOfTheDescription(ServiceDescription.Example example) {
        String dataset = example.content().path("path").asText().split("/", -1)[3];
        ObjectNode flat = (ObjectNode) example.content().path("request");
        assertThat(problems("Request_" + dataset, flat)).isEmpty();
        ObjectNode filtered = flat.deepCopy();
        ObjectNode filters = filtered.putObject("filters");
        for (String field :
                List.of("domains", "keywords", "countries", "category_ids", "age_group", "age_groups", "genders")) {
            if (filtered.has(field)) {
                filters.set(field, filtered.remove(field));
            }
        }
        if (filtered.has("subdomains")) {
            filters.set("include_subdomains", filtered.remove("subdomains"));
        }
        assertThat(problems("Request_" + dataset, filtered)).isEmpty();
        filtered.remove("filters");
        assertThat(problems("Request_" + dataset, filtered)).isNotEmpty();
    }

    static Stream<ServiceDescription.Example> descriptions() {
        return ServiceDescription.examples().stream()
                .filter(e -> e.content().path("path").asText().matches("/v3/batch/\\w+/request-(report|validate)"));
    }

    /** What of the body is not as the schema says. */
    private static Set<ValidationMessage> problems(String schema, JsonNode body) {
        return problems(Json.MAPPER.createObjectNode().put("$ref", "#/components/schemas/" + schema), body);
    }

    private static Set<ValidationMessage> problems(ObjectNode schema, JsonNode body) {
        schema.set("components", DOCUMENT.path("components"));
        return JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012)
                .getSchema(schema)
                .validate(body);
    }

    @Test
    void holdsEveryRouteAndNoOther() {
        Set<String> documented = new TreeSet<>();
        DOCUMENT.path("paths").properties().forEach(path -> path.getValue()
                .properties()
                .forEach(m -> documented.add(m.getKey() + " " + path.getKey())));
        Set<String> served = new TreeSet<>();
        ROUTES.forEach(c -> Arrays.stream(c.getDeclaredMethods()).forEach(m -> served.addAll(routes(c, m))));
        assertThat(documented).isEqualTo(served);
    }

    /** What the routes ask of keys stands in the document, too: none without a scope, and what only reads asks for no other. */
    @Test
    void namesTheScopesOfEveryRoute() {
        Map<String, List<String>> documented = new TreeMap<>();
        DOCUMENT.path("paths")
                .properties()
                .forEach(path -> path.getValue().properties().forEach(operation -> {
                    JsonNode security = operation.getValue().path("security");
                    String route = operation.getKey() + " " + path.getKey();
                    assertThat(security.isArray()).as(route).isTrue();
                    security.forEach(way -> way.forEach(scopes -> {
                        List<String> words = new ArrayList<>();
                        scopes.forEach(word -> words.add(word.asText()));
                        assertThat(documented.put(route, words)).as(route).isIn(null, words);
                    }));
                }));
        Map<String, List<String>> required = new TreeMap<>();
        ROUTES.forEach(c -> Arrays.stream(c.getDeclaredMethods())
                .filter(m -> m.isAnnotationPresent(RequiredScopes.class))
                .forEach(m -> routes(c, m)
                        .forEach(route -> required.put(
                                route,
                                KeyScope.words(List.of(
                                        m.getAnnotation(RequiredScopes.class).value()))))));
        assertThat(required).isEqualTo(documented).hasSizeGreaterThan(40);
        required.forEach((route, scopes) -> assertThat(scopes)
                .as(route)
                .isEqualTo(
                        route.startsWith("get ") || route.endsWith("/request-validate") || route.endsWith("/mcp")
                                ? List.of("read")
                                : route.contains("/webhooks/")
                                        ? List.of("webhooks")
                                        : route.contains("/keys") ? KeyScope.words() : List.of("request")));
    }

    /** Each that a route reads, and no other. */
    @Test
    void namesTheQueryParameters() throws IOException {
        Set<String> documented = new TreeSet<>();
        DOCUMENT.findParents("in").stream()
                .filter(parameter -> parameter.path("in").asText().equals("query"))
                .forEach(parameter -> documented.add(parameter.path("name").asText()));
        Set<String> read = new TreeSet<>();
        try (Stream<Path> sources = Files.walk(Path.of("src/main/java/millrace/gateway"))) {
            // The admin API has a document of its own.
            for (Path source : sources.filter(Files::isRegularFile)
                    .filter(file -> !file.startsWith("src/main/java/millrace/gateway/admin"))
                    .toList()) {
                QUERY_PARAMETER.matcher(Files.readString(source)).results().forEach(m -> read.add(m.group(1)));
            }
        }
        assertThat(documented).isEqualTo(read);
    }

    /** Of both APIs. What a route takes, and what of it may come several times, is what its operation says. */
    @Test
    void namesTheQueryParametersOfEveryRoute() throws Exception {
        ObjectNode admin = OpenApi.adminDocument();
        int routes = 0;
        for (Class<?> controller : controllers()) {
            JsonNode document = controller.getPackageName().startsWith("millrace.gateway.admin") ? admin : DOCUMENT;
            for (Method method : controller.getDeclaredMethods()) {
                TakesParameters taken = method.getAnnotation(TakesParameters.class);
                for (String route : routes(controller, method)) {
                    routes++;
                    Set<String> documented = new TreeSet<>();
                    Set<String> lists = new TreeSet<>();
                    queryParameters(document, route).forEach(parameter -> (parameter
                                            .at("/schema/type")
                                            .asText()
                                            .equals("array")
                                    ? lists
                                    : documented)
                            .add(parameter.path("name").asText()));
                    assertThat(taken == null ? Set.of() : Set.of(taken.value()))
                            .as(route)
                            .isEqualTo(documented);
                    assertThat(taken == null ? Set.of() : Set.of(taken.lists()))
                            .as(route)
                            .isEqualTo(lists);
                }
            }
        }
        assertThat(routes).isGreaterThan(80);
    }

    /** Those of the path and of the operation; a key that can be in the query is one, too. */
    private static List<JsonNode> queryParameters(JsonNode document, String route) {
        String[] verbAndPath = route.split(" ", 2);
        JsonNode path = document.path("paths").path(verbAndPath[1]);
        JsonNode operation = path.path(verbAndPath[0]);
        List<JsonNode> all = new ArrayList<>();
        path.path("parameters").forEach(p -> all.add(resolved(document, p)));
        operation.path("parameters").forEach(p -> all.add(resolved(document, p)));
        operation.path("security").forEach(way -> way.fieldNames()
                .forEachRemaining(name -> all.add(document.at("/components/securitySchemes/" + name))));
        return all.stream().filter(p -> p.path("in").asText().equals("query")).toList();
    }

    private static JsonNode resolved(JsonNode document, JsonNode node) {
        return node.has("$ref") ? document.at(node.path("$ref").asText().substring(1)) : node;
    }

    private static List<Class<?>> controllers() throws IOException, ClassNotFoundException {
        Path sources = Path.of("src/main/java");
        List<Class<?>> found = new ArrayList<>();
        try (Stream<Path> files = Files.walk(sources)) {
            for (Path file : files.filter(f -> f.toString().endsWith(".java")).toList()) {
                if (Files.readString(file).contains("\n@Controller")) {
                    String name = sources.relativize(file).toString().replace(".java", "");
                    found.add(Class.forName(name.replace('/', '.')));
                }
            }
        }
        return found;
    }

    /** Receivers that are typed learn that the payload of a test is a text. */
    @Test
    void describesWhatReceiversGet() {
        String body = "/post/requestBody/content/application~1json";
        JsonNode test = DOCUMENT.at("/webhooks/testWebhookEndpoint" + body);
        assertThat(test.at("/schema/properties/payload/type").asText()).isEqualTo("string");
        assertThat(test.at("/example/event_type").asText()).isEqualTo(WebhookTestSender.EVENT_TYPE);
        assertThat(test.at("/example/payload").asText()).isEqualTo(WebhookTestSender.PAYLOAD);
        JsonNode change = DOCUMENT.at("/webhooks/reportStatusChange" + body + "/schema/properties");
        assertThat(change.at("/event_type/const").asText()).isEqualTo("report_status_change");
        assertThat(change.at("/payload/allOf/0/$ref").asText()).isEqualTo("#/components/schemas/Status");
        assertThat(DOCUMENT.at("/webhooks/testWebhookEndpoint/post/parameters")).hasSize(3);
        for (JsonNode event : DOCUMENT.path("webhooks")) {
            JsonNode content = event.at(body);
            assertThat(problems((ObjectNode) content.path("schema").deepCopy(), content.path("example")))
                    .as("%s", content)
                    .isEmpty();
        }
    }

    /** Those that no route gives, and those that each can give. */
    @Test
    void namesTheAnswersThatEveryOperationCanGive() {
        for (JsonNode document : List.of(DOCUMENT, OpenApi.adminDocument())) {
            for (JsonNode path : document.path("paths")) {
                for (Map.Entry<String, JsonNode> operation : path.properties()) {
                    if (operation.getValue().has("responses")) {
                        var codes = List.of("400", "404", "405", "414", "431");
                        assertThat(operation.getValue().path("responses").properties())
                                .as(operation.getValue().path("operationId").asText())
                                .extracting(Map.Entry::getKey)
                                .containsAll(codes)
                                .containsAll(operation.getKey().equals("get") ? codes : List.of("413"));
                    }
                }
            }
        }
    }

    @Test
    void namesTheCodesOfProblemsAndTheIdOfTheRequest() {
        for (JsonNode document : List.of(DOCUMENT, OpenApi.adminDocument())) {
            List<String> codes = new ArrayList<>();
            document.at("/components/schemas/ProblemCode/enum").forEach(code -> codes.add(code.asText()));
            assertThat(codes).isEqualTo(ProblemCode.words());
            JsonNode problem = document.at("/components/schemas/Problem");
            assertThat(problem.at("/properties/code/$ref").asText()).isEqualTo("#/components/schemas/ProblemCode");
            assertThat(problem.path("required")).extracting(JsonNode::asText).contains("code", "request_id");
            for (JsonNode operation : document.path("paths").findParents("responses")) {
                assertThat(operation.path("parameters").findValuesAsText("$ref"))
                        .contains("#/components/parameters/requestId");
                for (JsonNode response : operation.path("responses")) {
                    JsonNode described = response.has("$ref")
                            ? document.at(response.path("$ref").asText().substring(1))
                            : response;
                    assertThat(described.at("/headers/X-Request-Id/$ref").asText())
                            .as("%s", described)
                            .isEqualTo("#/components/headers/RequestId");
                    described.path("headers").forEach(header -> assertThat(header.has("schema")
                                    || document.at(header.path("$ref").asText().substring(1))
                                            .has("schema"))
                            .as("%s", header)
                            .isTrue());
                }
            }
        }
    }

    /** What has no body has no content, and every refusal is a problem; readiness alone says its own of 503. */
    @Test
    void describesTheBodyOfEveryAnswer() {
        for (JsonNode document : List.of(DOCUMENT, OpenApi.adminDocument())) {
            for (JsonNode responses : document.path("paths").findValues("responses")) {
                for (Map.Entry<String, JsonNode> response : responses.properties()) {
                    JsonNode described = response.getValue().has("$ref")
                            ? document.at(
                                    response.getValue().path("$ref").asText().substring(1))
                            : response.getValue();
                    JsonNode content = described.path("content");
                    int code = Integer.parseInt(response.getKey());
                    boolean refusal = code >= 400 && !content.has("application/json");
                    boolean empty = Set.of(204, 302, 304).contains(code)
                            || described.path("description").equals(HEARD);
                    assertThat(content.isMissingNode()).as("%s", described).isEqualTo(empty);
                    assertThat(content.has("application/problem+json"))
                            .as("%s", described)
                            .isEqualTo(refusal);
                    content.forEach(type -> assertThat(type.path("schema").isObject())
                            .as("%s", described)
                            .isTrue());
                }
            }
        }
    }

    @Test
    void namesOnlyWhatItHolds() {
        List<JsonNode> references = DOCUMENT.findValues("$ref");
        assertThat(references).hasSizeGreaterThan(50).allSatisfy(r -> assertThat(
                        DOCUMENT.at(r.asText().substring(1)).isMissingNode())
                .as(r.asText())
                .isFalse());
    }

    /** Verb and path of each route. */
    private static Stream<String> mapped(Method method) {
        return Stream.of(
                        Stream.ofNullable(method.getAnnotation(Get.class))
                                .map(get -> "get " + (get.uri().equals("/") ? get.value() : get.uri())),
                        Stream.ofNullable(method.getAnnotation(Post.class)).flatMap(post -> Stream.of(post.uris())
                                .map(uri -> "post " + (uri.equals("/") ? post.value() : uri))),
                        Stream.ofNullable(method.getAnnotation(Put.class)).map(put -> "put " + put.value()),
                        Stream.ofNullable(method.getAnnotation(Patch.class)).map(patch -> "patch " + patch.value()),
                        Stream.ofNullable(method.getAnnotation(Delete.class)).map(delete -> "delete " + delete.value()))
                .flatMap(routes -> routes);
    }

    private static List<String> routes(Class<?> controller, Method method) {
        // The files of the console are no part of the API.
        return method.getName().equals("consoleFile")
                ? List.of()
                : mapped(method)
                        .flatMap(mapped -> routes(controller, mapped).stream())
                        .toList();
    }

    private static List<String> routes(Class<?> controller, String mapped) {
        String base = controller.getAnnotation(Controller.class).value();
        String[] verbAndPath = mapped.split(" ", 2);
        String path = base.equals("/") ? verbAndPath[1] : (base + verbAndPath[1]).replaceFirst("/$", "");
        String route = verbAndPath[0] + " " + path.replace("{reportId}", "{report_id}");
        return route.contains("/v3/batch/{dataset}/")
                ? CATALOG.names().stream()
                        .map(d -> route.replace("{dataset}", d))
                        .toList()
                : List.of(route);
    }
}
