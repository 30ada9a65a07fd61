package millrace.webhook.address;

import java.net.InetAddress;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** Finds the addresses of a name without blocking the caller; fails where there is none. */
@FunctionalInterface
public interface HostLookup {
    CompletionStage<List<InetAddress>> addresses(String host);
}
