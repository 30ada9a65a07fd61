package millrace.gateway.access;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class KeyUsesTest {
    private static final Instant NOON = Instant.parse("2026-11-02T12:00:00Z");
    private static final Instant ONE = NOON.plus(KeyUses.INTERVAL);

    private final KeyUses uses = new KeyUses();

    @Test
    void keepsOneUseAnHour() {
        assertThat(uses.lastUsed("key")).isEmpty();
        uses.used("key", NOON);
        uses.used("key", NOON.plusSeconds(5));
        assertThat(uses.unwritten()).isEqualTo(Map.of("key", NOON));
        uses.written("key", NOON);
        assertThat(uses.unwritten()).isEmpty();
        uses.used("key", ONE.minusMillis(1));
        assertThat(uses.unwritten()).isEmpty();
        assertThat(uses.lastUsed("key")).contains(NOON);
        uses.used("key", ONE);
        assertThat(uses.lastUsed("key")).as("at once").contains(ONE);
        assertThat(uses.unwritten()).isEqualTo(Map.of("key", ONE));
    }

    /** Gateways that use a key at the same moment write what they had not read of each other. */
    @Test
    void takesUsesOfGatewaysInAnyOrder() {
        uses.used("key", NOON.plusSeconds(2));
        uses.written("key", NOON.plusSeconds(1));
        assertThat(uses.unwritten()).as("another gateway has written it").isEmpty();
        uses.written("key", NOON);
        assertThat(uses.lastUsed("key")).contains(NOON.plusSeconds(1));
        uses.used("key", ONE.plusSeconds(1));
        uses.written("key", NOON.minusSeconds(1));
        assertThat(uses.unwritten()).isEqualTo(Map.of("key", ONE.plusSeconds(1)));
    }

    @Test
    void aClockThatGoesBackWritesNothing() {
        uses.written("key", ONE);
        uses.used("key", NOON);
        assertThat(uses.unwritten()).isEmpty();
        assertThat(uses.lastUsed("key")).contains(ONE);
    }

    @Test
    void knowsWhatNobodyUsesAnyMore() {
        uses.written("old", NOON);
        uses.written("new", ONE);
        assertThat(uses.unusedSince(NOON)).isEmpty();
        assertThat(uses.unusedSince(NOON.plusMillis(1))).isEqualTo(Set.of("old"));
        uses.forgotten("old");
        assertThat(uses.lastUsed("old")).isEmpty();
        assertThat(uses.unusedSince(ONE.plusMillis(1))).isEqualTo(Set.of("new"));
    }
}
