package millrace.contracts.samples;

import java.util.List;
import java.util.stream.Stream;
import millrace.contracts.topics.Topic;

/** One sample, at least, of every message of every topic. */
public final class MessageSamples {
    static final List<MessageSample<?>> ALL = Stream.of(
                    AccountSamples.ALL, AdminSamples.ALL, ReportSamples.ALL, RenderSamples.ALL, DeliverySamples.ALL)
            .<MessageSample<?>>flatMap(List::stream)
            .toList();

    private MessageSamples() {}

    public static List<MessageSample<?>> of(Topic<?> topic) {
        return ALL.stream().filter(sample -> sample.topic().equals(topic)).toList();
    }

    public static MessageSample<?> of(Topic<?> topic, String name) {
        return of(topic).stream()
                .filter(sample -> sample.name().equals(name))
                .findAny()
                .orElseThrow(() -> new AssertionError("topic " + topic.name() + " has no sample " + name));
    }

    /** Samples of the topics that analytics teams read. */
    public static List<MessageSample<?>> open() {
        return ALL.stream()
                .filter(sample -> sample.topic().audience() == Topic.Audience.PUBLIC)
                .toList();
    }
}
