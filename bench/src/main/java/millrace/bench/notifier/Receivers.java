package millrace.bench.notifier;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import millrace.bench.process.ChildProcess;

/** Receivers of webhooks, a process. */
public final class Receivers implements AutoCloseable {
    private static final Duration TIMEOUT = Duration.ofMinutes(1);
    private static final Duration POLL = Duration.ofMillis(20);

    private final ChildProcess process;
    private final List<Integer> ports;
    private final Path file;

    private Receivers(ChildProcess process, List<Integer> ports, Path file) {
        this.process = process;
        this.ports = ports;
        this.file = file;
    }

    /**
     * @param number of receivers, each with a port of its own
     * @param folder in which they write what has arrived
     */
    public static Receivers start(int number, Path folder) throws IOException, InterruptedException {
        ChildProcess process = ChildProcess.start(ReceiverProcess.class, List.of("-Xmx512m"), Integer.toString(number));
        List<Integer> ports = ReceiverProcess.ports(process.await(ReceiverProcess.SAYS, TIMEOUT));
        return new Receivers(process, ports, folder.resolve("arrivals"));
    }

    ChildProcess process() {
        return process;
    }

    /** @param behaviour see {@link ReceiverConnection}; {@code refuse} for no connection */
    public String url(int endpoint, String behaviour, long dueMicros) {
        int port = behaviour.equals("refuse") ? ports.getLast() : ports.get(endpoint % (ports.size() - 1));
        return "http://127.0.0.1:" + port + "/" + behaviour + "/" + dueMicros;
    }

    /** Sends a command. */
    public void tell(String command) throws InterruptedException {
        process.say(command);
        String unused = process.await("done " + command, TIMEOUT);
    }

    WebhookArrivals.Count count() throws InterruptedException {
        process.say("count");
        return WebhookArrivals.Count.parse(process.await("count ", TIMEOUT));
    }

    /**
     * Waits until so many requests have arrived.
     *
     * @throws IllegalStateException if they do not arrive in time
     */
    WebhookArrivals.Count awaitCount(long requests, Duration timeout) throws InterruptedException {
        long end = System.nanoTime() + timeout.toNanos();
        WebhookArrivals.Count count = count();
        while (count.requests() < requests) {
            if (System.nanoTime() > end) {
                throw new IllegalStateException("only " + count.requests() + " of " + requests + " requests came");
            }
            LockSupport.parkNanos(POLL.toNanos());
            count = count();
        }
        return count;
    }

    /**
     * When each event arrived, in microseconds since the epoch, the first time first; in the order of their first
     * arrivals. Where they {@code record}.
     */
    public Map<String, List<Long>> arrivals() throws IOException, InterruptedException {
        tell("write " + file);
        Map<String, List<Long>> arrivals = new LinkedHashMap<>();
        for (String line : Files.readAllLines(file)) {
            String[] words = line.split(" ", -1);
            arrivals.put(
                    words[0], Arrays.stream(words).skip(1).map(Long::valueOf).toList());
        }
        return arrivals;
    }

    @Override
    public void close() {
        process.close();
    }
}
