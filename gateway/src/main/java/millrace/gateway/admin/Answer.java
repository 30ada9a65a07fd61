package millrace.gateway.admin;

import io.netty.handler.codec.http.HttpResponseStatus;
import java.util.List;
import millrace.contracts.Json;
import org.jspecify.annotations.Nullable;

/**
 * What the admin API answers.
 *
 * @param allow the methods that would be accepted; null where it was not the method
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record Answer(
        int status, String type, byte[] body, @Nullable String allow) {

    static Answer ok(Object body) {
        return new Answer(200, "application/json", Json.bytes(body), null);
    }

    static Answer created(Object body) {
        return new Answer(201, "application/json", Json.bytes(body), null);
    }

    static Answer yaml(byte[] body) {
        return new Answer(200, "application/yaml", body, null);
    }

    /** A problem after RFC 9457, as the public API has them. */
    static Answer problem(int status, List<String> errors) {
        String title = HttpResponseStatus.valueOf(status).reasonPhrase();
        String detail = errors.size() == 1 ? errors.getFirst() : null;
        var problem = new Problem("about:blank", title, status, detail, errors);
        return new Answer(status, "application/problem+json", Json.bytes(problem), null);
    }

    static Answer problem(int status, String error) {
        return problem(status, List.of(error));
    }

    Answer allowing(String methods) {
        return new Answer(status, type, body, methods);
    }

    private record Problem(
            String type, String title, int status, @Nullable String detail, List<String> errors) {}
}
