package millrace.processor.ledger.state;

import static millrace.processor.ledger.decide.LedgerSamples.NOON;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicReference;
import millrace.processor.ledger.decide.Ledger;
import millrace.processor.ledger.decide.LedgerSamples;
import millrace.processor.ledger.state.LedgerTimers.Item;
import millrace.processor.ledger.streams.LedgerTestDriver;
import org.apache.kafka.streams.state.KeyValueStore;
import org.junit.jupiter.api.Test;

/** Timers, and the clock that they are due by. */
class LedgerTimersTest {
    private static final Item REPORT = new Item("acme", LedgerSamples.id("r"));

    private final AtomicReference<Instant> wall = new AtomicReference<>(NOON);
    private long steady = 17;
    private final KeyValueStore<String, byte[]> store = MemoryStore.open();

    /** The wall clock was set back by more than any overlap, or the item was due long ago. */
    @Test
    void aTimerFromBeforeTheLastSearchIsFound() {
        var ledger = new Ledger(
                LedgerTestDriver.settings(Path.of("no-folder-is-used")).rules());
        var timers = new LedgerTimers(new TypedStore<>(store, "agenda", Item.class), ledger);
        assertThat(timers.take(NOON, 10)).isEmpty();
        Instant before = NOON.minus(Duration.ofHours(1));
        timers.postpone(REPORT, before);
        assertThat(timers.next(NOON)).contains(before);
        assertThat(timers.take(before, 10)).containsExactly(REPORT);
    }

    @Test
    void theAgendaIsAtTheTimeOfTheWallClock() {
        AgendaClock clock = clock();
        pass(Duration.ofMillis(1));
        assertThat(clock.now()).isEqualTo(NOON.plusMillis(1));
        pass(Duration.ofDays(3));
        assertThat(clock.now()).isEqualTo(clock.wall());
    }

    @Test
    void theAgendaFollowsAWallClockThatWasSetBackAtHalfThePace() {
        AgendaClock clock = clock();
        set(Duration.ofHours(-1));
        assertThat(clock.now()).isEqualTo(NOON);
        for (int millis = 0; millis < 1000; millis++) {
            pass(Duration.ofMillis(1));
            assertThat(clock.now()).isBetween(NOON, NOON.plusSeconds(1));
        }
        assertThat(clock.now()).isEqualTo(NOON.plusMillis(500));
        pass(Duration.ofHours(3));
        assertThat(clock.now()).isEqualTo(clock.wall());
    }

    @Test
    void theAgendaFollowsAWallClockThatWasSetForwardAtDoubleThePace() {
        AgendaClock clock = clock();
        set(Duration.ofHours(8));
        assertThat(clock.now()).isEqualTo(NOON);
        pass(Duration.ofSeconds(10));
        assertThat(clock.now()).isEqualTo(NOON.plusSeconds(20));
        pass(Duration.ofHours(8));
        assertThat(clock.now()).isEqualTo(clock.wall());
    }

    @Test
    void aNewOwnerGoesOnWhereTheFormerOneWas() {
        AgendaClock former = clock();
        pass(Duration.ofSeconds(5));
        former.keep();
        set(Duration.ofHours(-1));
        assertThat(clock().now()).isEqualTo(NOON.plusSeconds(5));
        set(Duration.ofHours(2));
        assertThat(clock().now()).as("its clock is ahead").isEqualTo(wall.get());
    }

    /** Else one start with a clock that says 2099 would decide for ever. */
    @Test
    void aTimeThatIsFarAheadIsNotTakenOver() {
        set(Duration.ofDays(3650));
        clock().keep();
        set(Duration.ofDays(-3650));
        assertThat(clock().now()).isEqualTo(NOON);
    }

    private AgendaClock clock() {
        return new AgendaClock(new TypedStore<>(store, "clock", Long.class), wall::get, () -> steady);
    }

    private void pass(Duration time) {
        steady += time.toMillis();
        set(time);
    }

    private void set(Duration forward) {
        wall.updateAndGet(now -> now.plus(forward));
    }
}
