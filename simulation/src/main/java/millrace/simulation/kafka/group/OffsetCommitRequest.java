package millrace.simulation.kafka.group;

import java.util.Map;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * A request to commit offsets of a group.
 *
 * @param memberId empty for a client that is not a member
 * @param generation -1 for a client that is not a member
 */
public record OffsetCommitRequest(
        String group,
        String memberId,
        @Nullable String instanceId,
        int generation,
        Map<TopicPartition, OffsetAndMetadata> offsets) {}
