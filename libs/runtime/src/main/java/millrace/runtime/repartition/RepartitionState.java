package millrace.runtime.repartition;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * How far the last change of the number of partitions has come.
 *
 * @param from number of partitions before
 * @param to number of partitions that are wanted
 * @param ids all ids that each topic has had, oldest first: copies of a topic are the same topic
 */
public record RepartitionState(int from, int to, Phase phase, Instant startedAt, Map<String, List<String>> ids) {
    public RepartitionState {
        ids = Map.copyOf(ids);
    }

    /** The phases, in their order. */
    public enum Phase {
        /** The topics are copied; the services' own are as they were. */
        @JsonProperty("backing_up")
        BACKING_UP,
        /** The topics are made anew from the copies. */
        @JsonProperty("switching")
        SWITCHING,
        /** The topics have the new number of partitions, and the copies are still there. */
        @JsonProperty("switched")
        SWITCHED,
        /** The topics are made anew as they were. */
        @JsonProperty("going_back")
        GOING_BACK,
        /** The copies are deleted. */
        @JsonProperty("over")
        OVER;

        /** Whether services can work with the topics. */
        public boolean isUsable() {
            return this == SWITCHED || this == OVER;
        }
    }

    /** The same in another phase. */
    public RepartitionState in(Phase next) {
        return new RepartitionState(from, to, next, startedAt, ids);
    }

    /** Whether both are ids of one topic. */
    public boolean same(String topic, String id, String other) {
        List<String> known = ids.getOrDefault(topic, List.of());
        return known.contains(id) && known.contains(other);
    }
}
