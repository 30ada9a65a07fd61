package millrace.processor.ledger.streams;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.streams.processor.api.Record;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class LastValuesTest {
    private final LastValues values = new LastValues();

    @Test
    void sendsTheLastValueOfEachKeyOnce() {
        assertThat(values.keep(record("status", "a", new byte[] {1}))).isTrue();
        assertThat(values.keep(record("status", "b", new byte[] {2}))).isTrue();
        assertThat(values.keep(record("balance", "a", new byte[] {3}))).isTrue();
        OutgoingRecord last = record("status", "a", null);
        assertThat(values.keep(last)).isTrue();

        List<OutgoingRecord> sent = sent();
        assertThat(sent).hasSize(3).contains(last);
        assertThat(sent()).isEmpty();
    }

    /** A newer value of a key that was kept must never be sent before it. */
    @Test
    void whatHasNoRoomIsNotKeptUnlessItReplacesAnother() {
        assertThat(values.keep(record("status", "a", new byte[LastValues.MOST_BYTES])))
                .isTrue();
        assertThat(values.keep(record("status", "b", new byte[1]))).isFalse();
        OutgoingRecord newer = record("status", "a", new byte[LastValues.MOST_BYTES + 1]);
        assertThat(values.keep(newer)).isTrue();
        assertThat(sent()).containsExactly(newer);
        assertThat(values.keep(record("status", "b", new byte[1]))).isTrue();
    }

    @Test
    void nothingIsLeftOfATransactionThatWasAborted() {
        values.keep(record("status", "a", new byte[LastValues.MOST_BYTES]));
        values.clear();
        assertThat(sent()).isEmpty();
        assertThat(values.keep(record("status", "b", new byte[1]))).isTrue();
    }

    private List<OutgoingRecord> sent() {
        List<OutgoingRecord> sent = new ArrayList<>();
        values.send(sent::add);
        return sent;
    }

    private static OutgoingRecord record(String topic, String key, byte @Nullable [] value) {
        return new OutgoingRecord(topic, new Record<>(key, value, 0));
    }
}
