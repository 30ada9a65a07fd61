package millrace.gateway.api.downloads;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class PreviewSlotsTest {
    private final AtomicLong now = new AtomicLong(42);
    private final PreviewSlots slots = new PreviewSlots(now::get);

    @Test
    void givesAnAccountAFew() {
        PreviewSlots.Slot first = slots.take("a").orElseThrow();
        for (int i = 1; i < PreviewSlots.OF_ACCOUNT; i++) {
            assertThat(slots.take("a")).isPresent();
        }
        assertThat(slots.take("a")).isEmpty();
        assertThat(slots.take("b")).isPresent();
        first.close();
        first.close();
        assertThat(slots.take("a")).isPresent();
        assertThat(slots.take("a")).isEmpty();
    }

    @Test
    void givesAllAccountsTogetherSome() {
        for (int i = 0; i < PreviewSlots.IN_ALL; i++) {
            assertThat(slots.take("account-" + i)).isPresent();
        }
        assertThat(slots.take("one-more")).isEmpty();
    }

    @Test
    void nobodyKeepsASlotForLong() {
        PreviewSlots.Slot slot = slots.take("a").orElseThrow();
        for (int i = 1; i < PreviewSlots.OF_ACCOUNT; i++) {
            assertThat(slots.take("a")).isPresent();
        }
        now.addAndGet(PreviewSlots.LONGEST.toNanos());
        assertThat(slot.ended()).isFalse();
        assertThat(slots.take("a")).isEmpty();
        now.addAndGet(1);
        assertThat(slot.ended()).isTrue();
        assertThat(slots.take("a")).isPresent();
    }
}
