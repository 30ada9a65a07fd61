package millrace.gateway.admin;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A method and a path, and what answers it.
 *
 * @param template with parts in braces, for example {@code /admin/v1/accounts/{id}}
 */
record Route(String method, String template, Handler handler) {

    /** Answers a call. */
    @FunctionalInterface
    interface Handler {
        Answer answer(Call call);
    }

    /** The parts of a path that the template names; empty where the path is another one. */
    Optional<Map<String, String>> match(String path) {
        List<String> wanted = List.of(template.split("/", -1));
        List<String> given = List.of(path.split("/", -1));
        if (wanted.size() != given.size()) {
            return Optional.empty();
        }
        Map<String, String> parts = new HashMap<>();
        for (int i = 0; i < wanted.size(); i++) {
            String part = wanted.get(i);
            if (part.startsWith("{")) {
                parts.put(part.substring(1, part.length() - 1), given.get(i));
            } else if (!part.equals(given.get(i))) {
                return Optional.empty();
            }
        }
        return Optional.of(parts);
    }
}
