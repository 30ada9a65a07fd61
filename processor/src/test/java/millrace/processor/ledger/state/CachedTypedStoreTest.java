package millrace.processor.ledger.state;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CachedTypedStoreTest {
    private static final int ROOM = 30;

    private final TypedStore<String> typedStore = new TypedStore<>(MemoryStore.open(), "texts", String.class);
    private final DecodedValues decoded = new DecodedValues(ROOM);
    private final CachedTypedStore<String> values = new CachedTypedStore<>(typedStore, decoded);

    @Test
    void writesReachTheStore() {
        values.put("a", "first");
        values.put("a", "second");
        assertThat(typedStore.get("a")).isEqualTo("second");
        assertThat(values.get("a")).isEqualTo("second");
        values.put("a", null);
        assertThat(typedStore.get("a")).isNull();
        assertThat(values.get("a")).isNull();
    }

    @Test
    void whatWasWrittenOrReadIsNotReadAgain() {
        values.put("written", "x");
        typedStore.put("read", "y");
        assertThat(values.get("read")).isEqualTo("y");
        typedStore.put("written", null);
        typedStore.put("read", null);
        assertThat(values.get("written")).isEqualTo("x");
        assertThat(values.get("read")).isEqualTo("y");
    }

    @Test
    void whatIsMissingIsLookedForAgain() {
        assertThat(values.get("a")).isNull();
        typedStore.put("a", "x");
        assertThat(values.get("a")).isEqualTo("x");
    }

    @Test
    void theLeastRecentlyUsedMakeRoom() {
        for (int i = 0; i < 6; i++) {
            values.put("k" + i, "123"); // 5 bytes of JSON
        }
        assertThat(values.get("k0")).isEqualTo("123");
        values.put("k6", "123");
        typedStore.put("k0", "changed");
        typedStore.put("k1", "changed");
        assertThat(values.get("k0")).as("read a moment ago").isEqualTo("123");
        assertThat(values.get("k1")).as("not used since it was written").isEqualTo("changed");
    }

    /** The stores of many partitions take no more than one. */
    @Test
    void storesShareTheRoomAndFindOnlyTheirOwn() {
        var other = new CachedTypedStore<>(typedStore, decoded);
        values.put("k0", "123");
        typedStore.put("k0", "changed");
        assertThat(other.get("k0")).isEqualTo("changed");
        for (int i = 1; i < 6; i++) {
            other.put("k" + i, "123");
        }
        assertThat(values.get("k0")).as("made room").isEqualTo("changed");
    }

    @Test
    void theNewestIsKeptHoweverHeavyAndNoOther() {
        String heavy = "x".repeat(2 * ROOM);
        values.put("light", "x");
        values.put("heavy", heavy);
        typedStore.put("light", "changed");
        typedStore.put("heavy", "changed");
        assertThat(values.get("heavy")).isEqualTo(heavy);
        assertThat(values.get("light")).isEqualTo("changed");
    }

    @Test
    void whatIsRemovedTakesNoRoom() {
        values.put("a", "x".repeat(ROOM - 2));
        values.put("a", null);
        values.put("b", "x".repeat(ROOM - 4));
        typedStore.put("b", "changed");
        values.get("a");
        assertThat(values.get("b")).isEqualTo("x".repeat(ROOM - 4));
    }
}
