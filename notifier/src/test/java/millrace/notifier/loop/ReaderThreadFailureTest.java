package millrace.notifier.loop;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.Stream;
import millrace.notifier.bootstrap.NotifierTestKafka;
import millrace.notifier.endpoint.EndpointFlow;
import millrace.notifier.endpoint.EndpointQueue;
import millrace.notifier.endpoint.FlowRules;
import millrace.notifier.endpoint.HeldEvent;
import millrace.runtime.service.ServiceThreads;
import millrace.runtime.service.SteadyClock;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.KafkaException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** An error that ends a reader thread reaches the loop as a message and ends it. */
class ReaderThreadFailureTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final FlowRules RULES = NotifierTestKafka.settings(Map.of()).flow();

    private final ServiceThreads threads = ServiceThreads.ofMachine();
    private final Mailbox mailbox = new Mailbox(new MockConsumer<>("earliest"), threads);

    static Stream<Throwable> errors() {
        return Stream.of(
                new KafkaException("of Kafka"),
                new IllegalStateException("of the code"),
                new StackOverflowError("of the machine"));
    }

    @ParameterizedTest
    @MethodSource("errors")
    void takeOver(Throwable error) {
        try (var takeOver = new TakeOver(mailbox, failing(error), RULES, new SteadyClock(threads), threads)) {
            takeOver.start(1, List.of(0));
            assertThat(mailbox.next(TIMEOUT)).isEqualTo(new LoopMessage.Failed(error));
        }
    }

    @ParameterizedTest
    @MethodSource("errors")
    void payloads(Throwable error) {
        var queue = new EndpointQueue("acme|http://r.example:80", 0, new EndpointFlow(RULES));
        var id = new HeldEvent.Id("1", new UUID(0, 1), 1);
        try (var payloads = new PayloadReader(mailbox, failing(error), threads)) {
            payloads.fetch(queue, HeldEvent.takenOver(id, "u", 0, 1, HeldEvent.NOT_RESENT, 0, 7));
            assertThat(mailbox.next(TIMEOUT)).isEqualTo(new LoopMessage.Failed(error));
        }
    }

    private static Supplier<Consumer<String, byte[]>> failing(Throwable error) {
        return () -> {
            if (error instanceof Error serious) {
                throw serious;
            }
            throw (RuntimeException) error;
        };
    }
}
