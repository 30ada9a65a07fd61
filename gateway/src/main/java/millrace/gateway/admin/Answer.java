package millrace.gateway.admin;

import java.util.List;
import millrace.contracts.Json;
import org.jspecify.annotations.Nullable;

/** What the admin API answers. */
@SuppressWarnings("ArrayRecordComponent") // never compared
record Answer(int status, String type, byte[] body) {

    static Answer ok(Object body) {
        return new Answer(200, "application/json", Json.bytes(body));
    }

    static Answer created(Object body) {
        return new Answer(201, "application/json", Json.bytes(body));
    }

    /** A problem after RFC 9457, as the public API has them. */
    static Answer problem(int status, List<String> errors) {
        String title =
                switch (status) {
                    case 400 -> "Bad Request";
                    case 401 -> "Unauthorized";
                    case 404 -> "Not Found";
                    case 405 -> "Method Not Allowed";
                    case 409 -> "Conflict";
                    case 413 -> "Request Entity Too Large";
                    case 503 -> "Service Unavailable";
                    default -> "Internal Server Error";
                };
        String detail = errors.size() == 1 ? errors.getFirst() : null;
        var problem = new Problem("about:blank", title, status, detail, errors);
        return new Answer(status, "application/problem+json", Json.bytes(problem));
    }

    static Answer problem(int status, String error) {
        return problem(status, List.of(error));
    }

    private record Problem(
            String type, String title, int status, @Nullable String detail, List<String> errors) {}
}
