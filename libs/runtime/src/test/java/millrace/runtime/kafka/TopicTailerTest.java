package millrace.runtime.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.util.List;
import millrace.contracts.topics.Topics;
import millrace.runtime.settings.KafkaSettings;
import org.apache.kafka.clients.consumer.Consumer;
import org.junit.jupiter.api.Test;

class TopicTailerTest {
    /** A service that fails while it starts closes what it has made so far. */
    @Test
    void canBeClosedWithoutHavingBeenStarted() {
        var plan = new TopicTailer.Plan(List.of(Topics.ACCOUNTS), List.of(), Consumer::beginningOffsets);
        var tailer = new TopicTailer(
                KafkaSettings.local("127.0.0.1:1", 1, "test"), "test", plan, new FoldedOffsets(), record -> {});
        assertThatCode(tailer::close).doesNotThrowAnyException();
        assertThat(tailer.caughtUp()).isFalse();
    }
}
