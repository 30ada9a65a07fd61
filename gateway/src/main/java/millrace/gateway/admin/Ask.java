package millrace.gateway.admin;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A request to the admin API. */
record Ask(String method, String path, Map<String, Object> body) {

    static Ask get(String path) {
        return new Ask("GET", path, Map.of());
    }

    static Ask of(String method, String path) {
        return new Ask(method, path, new LinkedHashMap<>());
    }

    /** With one more field, if there is a value. */
    Ask with(String field, @Nullable Object value) {
        if (value == null) {
            return this;
        }
        Map<String, Object> more = new LinkedHashMap<>(body);
        more.put(field, value);
        return new Ask(method, path, more);
    }
}
