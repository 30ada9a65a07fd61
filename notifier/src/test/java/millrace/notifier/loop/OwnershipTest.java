package millrace.notifier.loop;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import millrace.notifier.NotifierSettings;
import millrace.notifier.endpoint.EndpointQueue;
import millrace.notifier.endpoint.HeldEvent;
import millrace.notifier.endpoint.WindowRules.Held;
import millrace.runtime.settings.Settings;
import org.junit.jupiter.api.Test;

class OwnershipTest {
    private static final String ONE = "acme|http://one.example:80";
    private static final String TWO = "acme|http://two.example:80";
    private static final String OTHER = "other|http://one.example:80";

    private final Ownership ownership = new Ownership();
    private int events;

    @Test
    void countsTheEventsOfEachAccountAndTheirEndpoints() {
        OwnedPartition first = partition(0);
        EndpointQueue one = first.endpoint(ONE);
        one.add(event());
        one.add(event());
        ownership.add(first);
        OwnedPartition second = partition(1);
        ownership.add(second);
        EndpointQueue two = second.endpoint(TWO);
        EndpointQueue other = second.endpoint(OTHER);
        assertThat(ownership.held(other)).isEqualTo(new Held(0, 0, 2, 1));
        two.add(event());
        ownership.oneMore(two);
        other.add(event());
        ownership.oneMore(other);
        assertThat(ownership.held(one)).isEqualTo(new Held(3, 2, 4, 3));
        assertThat(ownership.held(two)).isEqualTo(new Held(3, 2, 4, 3));
        assertThat(ownership.held(other)).isEqualTo(new Held(1, 1, 4, 3));
        two.ended(Objects.requireNonNull(two.next(0)));
        ownership.oneLess(two);
        assertThat(ownership.held(one)).isEqualTo(new Held(2, 1, 3, 2));
        ownership.drop(first);
        assertThat(ownership.held(one)).isEqualTo(new Held(0, 0, 1, 1));
        ownership.drop(second);
        assertThat(ownership.held()).isZero();
    }

    @Test
    void anAccountWithEventsForManyEndpointsIsCrowded() {
        OwnedPartition partition = partition(0);
        ownership.add(partition);
        for (int i = 0; i <= Ownership.MOST_ENDPOINTS; i++) {
            EndpointQueue queue = partition.endpoint("acme|http://" + i + ":80");
            assertThat(ownership.crowded(queue)).isFalse();
            queue.add(event());
            ownership.oneMore(queue);
        }
        assertThat(ownership.crowded(partition.endpoint("acme|http://0:80"))).isTrue();
        assertThat(ownership.crowded(partition.endpoint(OTHER))).isFalse();
    }

    private HeldEvent event() {
        var id = new HeldEvent.Id("e" + events++, new UUID(0, 0), 0);
        return HeldEvent.takenOver(id, "u", 0, 1, HeldEvent.NOT_RESENT, 0, 7);
    }

    private static OwnedPartition partition(int number) {
        return new OwnedPartition(
                number,
                SourceOffsets.resume(0, ""),
                Settings.sectionOf("notifier", NotifierSettings.class, Map.of()).flow());
    }
}
