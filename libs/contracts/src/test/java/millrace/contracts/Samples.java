package millrace.contracts;

import java.util.List;
import java.util.stream.Stream;

/** One sample, at least, of every message of every topic. */
final class Samples {
    static final List<Sample<?>> ALL = Stream.of(
                    AccountSamples.ALL, AdminSamples.ALL, ReportSamples.ALL, RenderSamples.ALL, DeliverySamples.ALL)
            .<Sample<?>>flatMap(List::stream)
            .toList();

    private Samples() {}

    static List<Sample<?>> of(Topic<?> topic) {
        return ALL.stream().filter(sample -> sample.topic().equals(topic)).toList();
    }

    static Sample<?> of(Topic<?> topic, String name) {
        return of(topic).stream()
                .filter(sample -> sample.name().equals(name))
                .findAny()
                .orElseThrow(() -> new AssertionError("topic " + topic.name() + " has no sample " + name));
    }

    /** Samples of the topics that analytics teams read. */
    static List<Sample<?>> open() {
        return ALL.stream()
                .filter(sample -> sample.topic().audience() == Topic.Audience.PUBLIC)
                .toList();
    }
}
