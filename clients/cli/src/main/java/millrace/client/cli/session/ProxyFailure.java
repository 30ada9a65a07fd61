package millrace.client.cli.session;

import java.io.IOException;
import millrace.runtime.cli.EnvironmentProxies;

/** A request that met no answer by way of a proxy. */
public final class ProxyFailure extends IOException {
    private static final long serialVersionUID = 1;

    private final IOException failure;

    public ProxyFailure(EnvironmentProxies.Named proxy, IOException failure) {
        super("by way of " + proxy, failure);
        this.failure = failure;
    }

    IOException failure() {
        return failure;
    }
}
