package millrace.bench.takeover;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import millrace.bench.notifier.ReceiverProcess;
import millrace.bench.notifier.WebhookArrivals;
import millrace.bench.process.ChildProcess;

/** The receiver of all webhooks, a process. */
record Receiver(ChildProcess process, String url, Path file) implements AutoCloseable {
    private static final Duration TIMEOUT = Duration.ofMinutes(1);

    /** @param folder in which it writes what has arrived */
    static Receiver start(Path folder) throws IOException, InterruptedException {
        ChildProcess process = ChildProcess.start(ReceiverProcess.class, List.of("-Xmx256m"), "1");
        int port = ReceiverProcess.ports(process.await(ReceiverProcess.SAYS, TIMEOUT))
                .getFirst();
        var receiver = new Receiver(process, "http://127.0.0.1:" + port + "/fine/0", folder.resolve("arrivals"));
        receiver.tell("record");
        return receiver;
    }

    /** When each event arrived, in microseconds since the epoch, the first time first. */
    Map<String, List<Long>> arrivals() throws IOException, InterruptedException {
        tell("write " + file);
        Map<String, List<Long>> arrivals = new HashMap<>();
        for (WebhookArrivals.Arrival arrival : WebhookArrivals.Arrival.read(file)) {
            arrivals.computeIfAbsent(arrival.event(), event -> new ArrayList<>())
                    .add(arrival.micros());
        }
        return arrivals;
    }

    private void tell(String command) throws InterruptedException {
        process.say(command);
        process.await("done " + command, TIMEOUT);
    }

    @Override
    public void close() {
        process.close();
    }
}
