package millrace.simulation.kafka.group;

import java.util.Map;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * Offsets of a group, and as whom they are committed.
 *
 * @param memberId empty for a client that is no member
 * @param generation -1 for a client that is no member
 */
public record OffsetCommitRequest(
        String group,
        String memberId,
        @Nullable String instanceId,
        int generation,
        Map<TopicPartition, OffsetAndMetadata> offsets) {}
