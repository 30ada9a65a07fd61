package millrace.gateway.copy.reports;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class AlreadyFoldedCommandsTest {
    private final AlreadyFoldedCommands ahead = new AlreadyFoldedCommands();

    @Test
    void tellsEachOfAPartitionOnce() {
        ahead.add(3, 7);
        ahead.add(3, 9);

        assertThat(ahead.remove(2, 7)).isFalse();
        assertThat(ahead.remove(3, 7)).isTrue();
        assertThat(ahead.remove(3, 7)).isFalse();
        assertThat(ahead.remove(3, 8)).isFalse();
        assertThat(ahead.remove(3, 9)).isTrue();
    }

    /** It was read before its acknowledgement came here. */
    @Test
    void forgetsWhatHasBeenReadBefore() {
        assertThat(ahead.remove(0, 4)).isFalse();
        ahead.add(0, 4);

        assertThat(ahead.remove(0, 5)).isFalse();
        assertThat(ahead.remove(0, 4)).isFalse();
    }
}
