package millrace.standalone;

import java.util.ArrayDeque;
import java.util.Deque;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Closes started services in the opposite order. Where closing one fails, it closes the others too.
 */
final class StartedServices implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(StartedServices.class);

    private final Deque<AutoCloseable> started = new ArrayDeque<>();

    synchronized <T extends AutoCloseable> T add(T part) {
        started.push(part);
        return part;
    }

    @Override
    public synchronized void close() {
        while (!started.isEmpty()) {
            AutoCloseable part = started.pop();
            try {
                part.close();
            } catch (Exception e) {
                LOG.warn("closing a service failed service={}", part.getClass().getSimpleName(), e);
            }
        }
    }
}
