package millrace.gateway.copy.activity;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import millrace.contracts.topics.Topic;
import millrace.contracts.topics.Topics;
import millrace.gateway.copy.CopiedTopics;
import millrace.gateway.copy.CopyReader;
import millrace.runtime.kafka.TopicTailer;
import millrace.runtime.settings.KafkaSettings;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/**
 * Reads the public topics into the activity store. The statuses of reports come first: with them the store knows the
 * datasets of ledger entries.
 */
public final class ActivityReader extends CopyReader {
    /** Those of the feed, and signed statements. */
    private static final List<Topic<?>> THEN = Stream.concat(
                    Positions.TOPICS.stream(), Stream.of(Topics.CREDIT_STATEMENTS))
            .toList();

    static final List<Topic<?>> TOPICS =
            Stream.concat(Stream.of(Topics.REPORT_STATUS), THEN.stream()).toList();

    /** Topics that earlier builds did not read. Their stores and positions stay valid. */
    private static final List<Topic<?>> ADDED = List.of(Topics.DATASET_VERSIONS, Topics.CREDIT_STATEMENTS);

    private final ActivityStore store;

    public ActivityReader(KafkaSettings kafka, ActivityStore store) {
        super(
                kafka,
                new TopicTailer(kafka, "activity", store.foldedOffsets(), RARE_POLLS),
                new Copy("activity store", store.store(), List.of(Topics.REPORT_STATUS), THEN, TOPICS));
        this.store = store;
    }

    @Override
    protected CopiedTopics.Opened open(Opening opening) throws IOException {
        CopiedTopics topics = opening.topics();
        return store.open(new CopiedTopics(identity(opening.admin()), topics.first(), topics.ends(), topics.epochs()));
    }

    @Override
    protected void fold(
            ConsumerRecords<String, byte[]> records,
            Map<TopicPartition, OffsetAndMetadata> read,
            Map<TopicPartition, Long> next) {
        store.fold(records, read, next);
    }

    @Override
    protected void progressed(Progress newest) {
        store.progressed(newest);
    }

    /** The ids of the topics, which others of the same names would not have. */
    private static String identity(Admin admin) {
        List<String> names = TOPICS.stream()
                .filter(topic -> !ADDED.contains(topic))
                .<String>map(Topic::name)
                .toList();
        var ids = new TreeMap<String, String>();
        CopiedTopics.get(admin.describeTopics(names).allTopicNames())
                .forEach((name, topic) -> ids.put(name, topic.topicId().toString()));
        return ids.toString();
    }
}
