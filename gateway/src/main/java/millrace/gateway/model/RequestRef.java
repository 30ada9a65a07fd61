package millrace.gateway.model;

import org.apache.kafka.common.TopicPartition;

/**
 * Where the full request of a report lies. Requests are not kept in memory.
 *
 * @param settled whether in the compacted topic of requests; else still among the commands
 */
public record RequestRef(boolean settled, int partition, long offset) {

    public TopicPartition topicPartition() {
        var topic = settled ? millrace.contracts.Topics.REPORT_REQUESTS : millrace.contracts.Topics.ACCOUNT_COMMANDS;
        return new TopicPartition(topic.name(), partition);
    }
}
