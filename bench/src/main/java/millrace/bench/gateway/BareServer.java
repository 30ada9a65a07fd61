package millrace.bench.gateway;

import io.micronaut.context.ApplicationContext;
import io.micronaut.runtime.server.EmbeddedServer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;
import millrace.bench.process.BenchKafka;
import millrace.bench.process.ChildProcess;
import millrace.bench.process.HttpLoad;
import millrace.bench.process.SingleGateway;

/** The {@link BareController} as a process. */
record BareServer(ChildProcess process, String address) implements AutoCloseable {
    private static final String SAYS = "bare endpoint at ";

    static BareServer start(BenchKafka kafka) throws IOException, InterruptedException {
        List<String> options = Stream.concat(SingleGateway.IMAGE_OPTIONS.stream(), Stream.of("-Xmx1g"))
                .toList();
        ChildProcess process = ChildProcess.start(BareServer.class, options, kafka.servers());
        String line = process.await(SAYS, Duration.ofMinutes(1));
        return new BareServer(process, line.substring(line.indexOf("http://")) + "/bare");
    }

    HttpRequest get() {
        return HttpLoad.request(URI.create(address)).build();
    }

    @Override
    public void close() {
        process.close();
    }

    /** Argument: Kafka's bootstrap servers. */
    @SuppressWarnings("SystemOut") // the parent reads it
    public static void main(String[] arguments) throws InterruptedException, ExecutionException {
        var properties = Map.<String, Object>of(
                "micronaut.server.host", "127.0.0.1", "micronaut.server.port", -1, "bare.servers", arguments[0]);
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
