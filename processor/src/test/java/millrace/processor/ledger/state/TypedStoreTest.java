package millrace.processor.ledger.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.errors.StreamsException;
import org.apache.kafka.streams.state.KeyValueStore;
import org.junit.jupiter.api.Test;

class TypedStoreTest {
    private final KeyValueStore<String, byte[]> store = MemoryStore.open();
    private final TypedStore<Integer> numbers = new TypedStore<>(store, "numbers", Integer.class);

    @Test
    void kindsDoNotMeet() {
        var texts = new TypedStore<>(store, "number", String.class);
        texts.put("a", "one");
        numbers.put("a", 1);
        assertThat(texts.get("a")).isEqualTo("one");
        assertThat(numbers.get("a")).isEqualTo(1);
        numbers.put("a", null);
        assertThat(numbers.get("a")).isNull();
        assertThat(texts.range("", "z", 9)).containsExactly(KeyValue.pair("a", "one"));
        assertThat(numbers.range("", "z", 9)).isEmpty();
    }

    @Test
    void aRangeHasBothItsEndsAndNotMoreThanIsAskedFor() {
        for (int i = 1; i <= 5; i++) {
            numbers.put("k" + i, i);
        }
        assertThat(numbers.range("k2", "k4", 9))
                .containsExactly(KeyValue.pair("k2", 2), KeyValue.pair("k3", 3), KeyValue.pair("k4", 4));
        assertThat(numbers.range("k2", "k4", 2)).hasSize(2);
    }

    @Test
    void whatIsNoValueOfTheKindIsNotTakenForOne() {
        store.put("numbers/a", new byte[] {'x'});
        assertThatThrownBy(() -> numbers.get("a"))
                .isInstanceOf(StreamsException.class)
                .hasMessageContaining("Integer");
    }
}
