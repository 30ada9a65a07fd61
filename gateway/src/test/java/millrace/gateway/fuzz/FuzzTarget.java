package millrace.gateway.fuzz;

import java.net.URI;
import java.util.List;
import java.util.Map;

/**
 * An API to send requests to.
 *
 * @param keyHeader and the key for it: what opens it
 * @param known values of path parameters that exist, by the parameter's name
 * @param links request targets that exist, of operations that nobody could guess one of
 */
public record FuzzTarget(
        URI address,
        ServedApiDocument api,
        String keyHeader,
        String key,
        Map<String, List<String>> known,
        Map<String, String> links) {}
