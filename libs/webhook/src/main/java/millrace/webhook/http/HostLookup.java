package millrace.webhook.http;

import java.net.InetAddress;
import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * Looks up the addresses of a host without blocking. Completes exceptionally where there are none.
 */
@FunctionalInterface
interface HostLookup {
    CompletionStage<List<InetAddress>> addresses(String host);
}
