package millrace.bench.gateway;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import millrace.bench.process.BenchOptions;
import millrace.bench.process.ChildProcess;
import millrace.bench.process.FlightRecording;
import millrace.bench.process.KafkaMain;
import millrace.bench.process.LiveHeap;
import millrace.bench.process.SingleGateway;
import millrace.bench.process.TemporaryFolders;
import millrace.contracts.accounts.LedgerEntry;
import millrace.contracts.topics.Topics;
import millrace.runtime.accounts.AccountsFile;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;

/**
 * Measures what open feeds cost a gateway while nothing happens: memory and CPU beside those of the
 * same gateway without feeds. Then has one event for each of them, and measures the time until all
 * have it.
 */
public final class FeedsBench {
    /** Most feeds of an account. */
    private static final int OF_ACCOUNT = 20;

    private static final Duration TIMEOUT = Duration.ofMinutes(2);

    private FeedsBench() {}

    private static String account(int number) {
        return "bench-" + number;
    }

    @SuppressWarnings("SystemOut")
    public static void main(String[] arguments) throws IOException, InterruptedException {
        var options = BenchOptions.parse(
                arguments,
                "--feeds 1000 --seconds 60 --settle 30 --heap 1g --profile none",
                "--feeds 100 --seconds 20 --settle 5");
        var profile = FlightRecording.of(options);
        int feeds = options.number("feeds");
        int accounts = Math.ceilDiv(feeds, OF_ACCOUNT);
        var declared = new AccountsFile(IntStream.range(0, accounts)
                .mapToObj(number -> SingleGateway.account(account(number), "key-" + number))
                .toList());
        Duration measured = Duration.ofSeconds(options.number("seconds"));
        Path folder = Files.createTempDirectory("millrace-bench");
        try (ChildProcess kafka = KafkaMain.start(folder.resolve("kafka"))) {
            String servers = KafkaMain.servers(kafka);
            List<String> heap = profile.with("-Xmx" + options.text("heap"));
            try (SingleGateway gateway = SingleGateway.start(folder, servers, heap, declared)) {
                // What is compiled and loaded once for the first feeds is not the cost of a feed.
                try (var first = new Feeds(gateway.address(), OF_ACCOUNT)) {
                    first.awaitEach(1);
                }
                LockSupport.parkNanos(
                        Duration.ofSeconds(options.number("settle")).toNanos());
                Cost without = Cost.of(gateway.process(), measured);
                try (var open = new Feeds(gateway.address(), feeds)) {
                    open.awaitEach(1);
                    LockSupport.parkNanos(
                            Duration.ofSeconds(options.number("settle")).toNanos());
                    long before = open.blocks.get();
                    Cost with = Cost.of(gateway.process(), measured);
                    profile.dump(gateway.process(), "feeds");
                    System.out.printf(
                            Locale.ROOT,
                            "%,d feeds, %,d comments in %d s: %s; without them %s%n",
                            feeds,
                            open.blocks.get() - before,
                            measured.toSeconds(),
                            with,
                            without);
                    System.out.printf(
                            Locale.ROOT,
                            "for them: %,d MB live, %,d MB resident, %.1f %% of a core%n",
                            (with.live - without.live) >> 20,
                            (with.resident - without.resident) >> 20,
                            with.percent - without.percent);
                    LockSupport.parkNanos(Duration.ofSeconds(1).toNanos());
                    System.out.printf(Locale.ROOT, "one event for all: %,d ms%n", fanOut(servers, accounts, open));
                }
            }
        } finally {
            TemporaryFolders.delete(folder);
        }
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
            LockSupport.parkNanos(duration.toNanos());
            double percent = 100.0 * process.cpu().minus(before).toNanos() / (System.nanoTime() - start);
            long live = LiveHeap.bytes(process);
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

    /** Milliseconds from the first record until each feed has its event. */
    @SuppressWarnings("FutureReturnValueIgnored") // flush and close tell
    private static long fanOut(String servers, int accounts, Feeds open) {
        long before = open.events.get();
        long start = System.nanoTime();
        try (var producer = new KafkaProducer<>(
                Map.<String, Object>of("bootstrap.servers", servers),
                new StringSerializer(),
                new ByteArraySerializer())) {
            for (int number = 0; number < accounts; number++) {
                String id = account(number);
                var entry = new LedgerEntry("bench", id, 1, LedgerEntry.Kind.GRANT, null, 1, 1, 0, 0, 1, Instant.now());
                producer.send(
                        new ProducerRecord<>(Topics.CREDIT_LEDGER.name(), id, Topics.CREDIT_LEDGER.encode(entry)));
            }
        }
        open.await(open.events, before + open.sockets.size());
        return (System.nanoTime() - start) / 1_000_000;
    }

    /** Connections on which a thread each counts what comes. */
    private static final class Feeds implements AutoCloseable {
        private final List<Socket> sockets = new ArrayList<>();
        /** Events and comments: each ends with an empty line. */
        private final AtomicLong blocks = new AtomicLong();

        private final AtomicLong events = new AtomicLong();

        Feeds(String address, int number) throws IOException {
            URI gateway = URI.create(address);
            for (int i = 0; i < number; i++) {
                var socket = new Socket(gateway.getHost(), gateway.getPort());
                sockets.add(socket);
                socket.getOutputStream()
                        .write(("GET /v3/batch/events HTTP/1.1\r\nHost: x\r\napi-key: key-" + i / OF_ACCOUNT
                                        + "\r\n\r\n")
                                .getBytes(StandardCharsets.US_ASCII));
                Thread.ofVirtual().start(() -> read(socket));
            }
        }

        private void read(Socket socket) {
            try (InputStream in = socket.getInputStream()) {
                byte[] buffer = new byte[4096];
                for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                    String text = new String(buffer, 0, n, StandardCharsets.US_ASCII);
                    blocks.addAndGet(count(text, "id: "));
                    events.addAndGet(count(text, "data: "));
                }
            } catch (IOException e) {
                // It is closed.
            }
        }

        private static long count(String text, String part) {
            long count = 0;
            for (int at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + 1)) {
                count++;
            }
            return count;
        }

        /** Blocks until so many came for each on average. */
        void awaitEach(int number) {
            await(blocks, (long) number * sockets.size());
        }

        void await(AtomicLong counted, long number) {
            long deadline = System.nanoTime() + TIMEOUT.toNanos();
            while (counted.get() < number) {
                if (System.nanoTime() > deadline) {
                    throw new IllegalStateException("only " + counted.get() + " of " + number + " came");
                }
                LockSupport.parkNanos(Duration.ofMillis(1).toNanos());
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
