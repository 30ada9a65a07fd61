package millrace.broker;

import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;

/** A broker that stops when its process is asked to end, as that of a service does. */
final class StoppedMain {
    private StoppedMain() {}

    @SuppressWarnings("SystemOut") // the parent reads it
    public static void main(String[] arguments) throws Exception {
        EmbeddedKafka kafka = EmbeddedKafka.start(Path.of(arguments[0]));
        Runtime.getRuntime().addShutdownHook(new Thread(kafka::close));
        System.out.println("ready");
        new CountDownLatch(1).await();
    }
}
