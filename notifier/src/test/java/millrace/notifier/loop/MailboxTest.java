package millrace.notifier.loop;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import millrace.runtime.service.ServiceThreads;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.errors.WakeupException;
import org.junit.jupiter.api.Test;

class MailboxTest {
    private static final Duration LONG = Duration.ofMillis(500);

    private final RecordingConsumer consumer = new RecordingConsumer();
    private final Mailbox mailbox = new Mailbox(consumer, ServiceThreads.ofMachine());

    /** A consumer that remembers for how long it was to wait, and does something meanwhile. */
    private static final class RecordingConsumer extends MockConsumer<String, byte[]> {
        private final List<Duration> waits = new ArrayList<>();
        private Runnable meanwhile = () -> {};
        private boolean woken;

        RecordingConsumer() {
            super("earliest");
        }

        @Override
        public synchronized ConsumerRecords<String, byte[]> poll(Duration timeout) {
            waits.add(timeout);
            meanwhile.run();
            if (woken) {
                woken = false;
                throw new WakeupException();
            }
            return ConsumerRecords.empty();
        }

        @Override
        public synchronized void wakeup() {
            woken = true;
        }
    }

    /** The end of a transaction, between the loop's look at it and its poll: nothing else wakes the loop then. */
    @Test
    void aPollAfterItWasWokenDoesNotWait() {
        mailbox.wake();
        mailbox.poll(LONG);
        mailbox.poll(LONG);
        assertThat(consumer.waits).containsExactly(Duration.ZERO, LONG);
    }

    @Test
    void aPollThatIsWokenEndsAndTheNextOneWaits() {
        consumer.meanwhile = mailbox::wake;
        assertThat(mailbox.poll(LONG)).isEmpty();
        assertThat(consumer.woken).as("the wake-up was for the first poll").isFalse();
        consumer.meanwhile = () -> {};
        mailbox.poll(LONG);
        assertThat(consumer.waits).containsExactly(LONG, LONG);
    }

    @Test
    void aPollDoesNotWaitWhileThereAreMessages() {
        var message = new LoopMessage.Ownerless();
        mailbox.put(message);
        mailbox.poll(LONG);
        mailbox.poll(LONG);
        assertThat(mailbox.next()).isEqualTo(message);
        assertThat(mailbox.next()).isNull();
        mailbox.poll(LONG);
        assertThat(consumer.waits).containsExactly(Duration.ZERO, Duration.ZERO, LONG);
    }

    @Test
    void aMessageEndsThePoll() {
        var message = new LoopMessage.Ownerless();
        consumer.meanwhile = () -> mailbox.put(message);
        assertThat(mailbox.poll(LONG)).isEmpty();
        assertThat(mailbox.next()).isEqualTo(message);
        assertThat(consumer.waits).containsExactly(LONG);
    }
}
