package millrace.bench.gateway;

import io.micronaut.context.ApplicationContext;
import io.micronaut.runtime.server.EmbeddedServer;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;

/**
 * Runs the {@link BareController} as a process. Arguments: Kafka's bootstrap servers, topic, bytes
 * of a record.
 */
final class BareMain {
    static final String SAYS = "bare endpoint at ";

    private BareMain() {}

    @SuppressWarnings("SystemOut") // the parent reads it
    public static void main(String[] arguments) throws InterruptedException, ExecutionException {
        var properties = Map.<String, Object>of(
                "micronaut.server.host", "127.0.0.1",
                "micronaut.server.port", -1,
                "bare.servers", arguments[0],
                "bare.topic", arguments[1],
                "bare.record-bytes", arguments[2]);
        try (ApplicationContext context = ApplicationContext.builder()
                        .banner(false)
                        .properties(properties)
                        .start();
                EmbeddedServer server = context.getBean(EmbeddedServer.class).start()) {
            context.getBean(BareController.class).publishOne();
            System.out.println(SAYS + "http://127.0.0.1:" + server.getPort());
            new CountDownLatch(1).await();
        }
    }
}
