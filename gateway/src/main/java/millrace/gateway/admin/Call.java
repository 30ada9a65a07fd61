package millrace.gateway.admin;

import java.util.Map;

/**
 * One call.
 *
 * @param actor the name of the admin key
 * @param path the parts of the path that its template names
 * @param query decoded; of several values the last
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record Call(String actor, Map<String, String> path, Map<String, String> query, byte[] body) {

    /** A part of the path; there is one, since the template says so. */
    String part(String name) {
        return path.getOrDefault(name, "");
    }
}
