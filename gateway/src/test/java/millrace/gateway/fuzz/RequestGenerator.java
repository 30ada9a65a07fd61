package millrace.gateway.fuzz;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Makes requests: the same ones from the same seed. */
public final class RequestGenerator {
    /** Half a pair of surrogates can only be written like this. */
    private static final JsonMapper ESCAPING =
            JsonMapper.builder().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build();

    private static final List<RequestMutation> MUTATIONS = Stream.of(HeadMutations.ALL, BodyMutations.ALL)
            .flatMap(List::stream)
            .toList();

    private final FuzzTarget target;

    public RequestGenerator(FuzzTarget target) {
        this.target = target;
    }

    public GeneratedRequest probe(long seed) {
        var dice = new SeededRandom(seed);
        RequestDraft draft = draft(dice);
        List<String> done = new ArrayList<>();
        for (int i = dice.percent(35) ? 0 : 1 + dice.below(2); i > 0 && !draft.framed; i--) {
            RequestMutation mutation = dice.of(MUTATIONS);
            mutation.change().accept(draft, dice);
            done.add(mutation.name());
        }
        byte[] bytes = draft.bytes();
        boolean whole = draft.whole;
        if (dice.percent(6)) {
            bytes = spoiled(bytes, dice);
            done.add("bytes");
            whole = false;
        }
        return new GeneratedRequest(target.api(), draft.method, draft.target, done, whole, bytes);
    }

    private RequestDraft draft(SeededRandom dice) {
        ServedApiDocument.Operation operation = dice.of(target.api().operations());
        var values = new SchemaValues(target.api(), dice);
        var draft = new RequestDraft();
        draft.method = operation.method();
        draft.header("Host", target.address().getAuthority());
        draft.header(target.keyHeader(), target.key());
        String link = target.links().get(operation.path());
        draft.target = link != null && dice.percent(70) ? link : address(operation, values, dice, draft);
        JsonNode content =
                target.api().resolved(operation.node().path("requestBody")).path("content");
        if (content.has("application/json")) {
            draft.header("Content-Type", "application/json");
            draft.body = body(content.path("application/json"), values, dice);
        }
        return draft;
    }

    private String address(
            ServedApiDocument.Operation operation, SchemaValues values, SeededRandom dice, RequestDraft draft) {
        String path = operation.path();
        List<String> query = new ArrayList<>();
        for (JsonNode parameter : operation.parameters()) {
            String name = parameter.path("name").asText();
            String value = dice.percent(20) ? dice.hostile() : known(name, parameter, values, dice);
            switch (parameter.path("in").asText()) {
                case "path" -> path = path.replace("{" + name + "}", encoded(value));
                case "query" -> {
                    if (dice.percent(40)) {
                        query.add(name + "=" + encoded(value));
                    }
                }
                default -> {
                    if (dice.percent(30)) {
                        draft.header(name, value.replaceAll("[\r\n\0]", ""));
                    }
                }
            }
        }
        if (operation.path().equals("/capabilities") && dice.percent(80)) {
            query.add("api_key=" + target.key());
        }
        return query.isEmpty() ? path : path + "?" + String.join("&", query);
    }

    private String known(String name, JsonNode parameter, SchemaValues values, SeededRandom dice) {
        List<String> known = target.known().getOrDefault(name, List.of());
        return !known.isEmpty() && dice.percent(70)
                ? dice.of(known)
                : values.of(parameter.path("schema")).asText();
    }

    private byte[] body(JsonNode described, SchemaValues values, SeededRandom dice) {
        boolean example = described.has("example") && dice.percent(70);
        JsonNode body = example ? described.path("example").deepCopy() : values.of(described.path("schema"));
        if (body instanceof ObjectNode object && object.has("start_date")) {
            dated(object);
        }
        if (body.at("/report_query/tables/0") instanceof ObjectNode table && table.has("start_date")) {
            dated(table);
        }
        try {
            return ESCAPING.writeValueAsBytes(dice.percent(30) ? values.spoiled(body) : body);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }

    /** In what the account may see. */
    private static void dated(ObjectNode request) {
        boolean monthly = request.path("granularity").asText().equals("monthly");
        request.put("start_date", monthly ? "2025-01" : "2025-01-06");
        request.put("end_date", monthly ? "2025-02" : "2025-01-12");
    }

    private static byte[] spoiled(byte[] bytes, SeededRandom dice) {
        return switch (dice.below(5)) {
            case 0 -> java.util.Arrays.copyOf(bytes, dice.below(bytes.length));
            case 1 -> dice.bytes(1 + dice.below(500));
            case 2 -> join(bytes, dice.bytes(dice.below(200)));
            case 3 -> join(bytes, bytes);
            default -> {
                byte[] flipped = bytes.clone();
                for (int i = dice.below(6); i >= 0; i--) {
                    flipped[dice.below(flipped.length)] = (byte) dice.below(256);
                }
                yield flipped;
            }
        };
    }

    private static byte[] join(byte[] a, byte[] b) {
        byte[] both = java.util.Arrays.copyOf(a, a.length + b.length);
        System.arraycopy(b, 0, both, a.length, b.length);
        return both;
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
