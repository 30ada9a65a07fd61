package millrace.bench.gateway;

import static millrace.bench.process.Output.print;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import millrace.bench.process.BenchAccounts;
import millrace.bench.process.BenchKafka;
import millrace.bench.process.BenchOptions;
import millrace.bench.process.ChildProcess;
import millrace.bench.process.SingleGateway;

/**
 * Measures what open feeds cost a gateway while nothing happens: memory and CPU beside those of the
 * same gateway without feeds.
 */
public final class FeedsBench {
    /** Most feeds of an account. */
    private static final int OF_ACCOUNT = 20;

    private static final Duration TIMEOUT = Duration.ofMinutes(2);

    private FeedsBench() {}

    public static void main(String[] arguments) throws IOException, InterruptedException {
        var options = BenchOptions.parse(
                arguments, "--feeds 1000 --seconds 60 --settle 30 --heap 1g", "--feeds 100 --seconds 20 --settle 5");
        int feeds = options.number("feeds");
        Duration measured = Duration.ofSeconds(options.number("seconds"));
        Duration settle = Duration.ofSeconds(options.number("settle"));
        try (BenchKafka kafka = BenchKafka.start()) {
            Path unused = BenchAccounts.write(
                    kafka.folder(),
                    IntStream.range(0, Math.ceilDiv(feeds, OF_ACCOUNT)).mapToObj(FeedsBench::account));
            try (SingleGateway gateway =
                    SingleGateway.start(kafka, kafka.folder(), List.of("-Xmx" + options.text("heap")))) {
                // What is compiled and loaded once for the first feeds is not the cost of a feed.
                new Feeds(gateway.address(), OF_ACCOUNT).close();
                Thread.sleep(settle);
                Cost without = Cost.of(gateway.process(), measured);
                try (var open = new Feeds(gateway.address(), feeds)) {
                    Thread.sleep(settle);
                    Cost with = Cost.of(gateway.process(), measured);
                    print("%,d feeds: %s; without them %s", feeds, with, without);
                    print(
                            "for them: %s",
                            new Cost(
                                    with.live - without.live,
                                    with.resident - without.resident,
                                    with.percent - without.percent));
                }
            }
        }
    }

    private static String account(int number) {
        return "bench-" + number;
    }

    /**
     * What the process uses.
     *
     * @param live bytes of the heap after a collection
     * @param resident bytes
     * @param percent of a core
     */
    private record Cost(long live, long resident, double percent) {
        static Cost of(ChildProcess process, Duration duration) throws IOException, InterruptedException {
            Duration before = process.cpu();
            long start = System.nanoTime();
            Thread.sleep(duration);
            double percent = 100.0 * process.cpu().minus(before).toNanos() / (System.nanoTime() - start);
            long live = process.liveHeap();
            return new Cost(live, process.residentMemory(), percent);
        }

        @Override
        public String toString() {
            return String.format(
                    Locale.ROOT,
                    "%,d MB live, %,d MB resident, %.1f %% of a core",
                    live >> 20,
                    resident >> 20,
                    percent);
        }
    }

    /** Connections on which a thread each reads what comes. */
    private static final class Feeds implements AutoCloseable {
        private final List<Socket> sockets = new ArrayList<>();

        /** Opens them; each has answered when it returns. */
        Feeds(String address, int number) throws IOException, InterruptedException {
            URI gateway = URI.create(address);
            var answered = new CountDownLatch(number);
            for (int i = 0; i < number; i++) {
                var socket = new Socket(gateway.getHost(), gateway.getPort());
                sockets.add(socket);
                String key = BenchAccounts.key(account(i / OF_ACCOUNT));
                socket.getOutputStream()
                        .write(("GET /v3/batch/events HTTP/1.1\r\nHost: x\r\napi-key: " + key + "\r\n\r\n")
                                .getBytes(StandardCharsets.US_ASCII));
                Thread.ofVirtual().start(() -> read(socket, answered));
            }
            if (!answered.await(TIMEOUT.toSeconds(), TimeUnit.SECONDS)) {
                throw new IllegalStateException(answered.getCount() + " of " + number + " feeds have not begun");
            }
        }

        /** A feed begins with its position. */
        private static void read(Socket socket, CountDownLatch answered) {
            try (var lines =
                    new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII))) {
                boolean begun = false;
                for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                    if (!begun && line.startsWith("id: ")) {
                        begun = true;
                        answered.countDown();
                    }
                }
            } catch (IOException e) {
                // It is closed.
            }
        }

        @Override
        public void close() throws IOException {
            for (Socket socket : sockets) {
                socket.close();
            }
        }
    }
}
