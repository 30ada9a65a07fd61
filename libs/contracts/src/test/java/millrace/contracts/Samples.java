package millrace.contracts;

import java.util.List;
import java.util.stream.Stream;

/** One sample, at least, of every message of every topic. */
final class Samples {
    static final List<Sample<?>> ALL = Stream.of(
                    AccountSamples.ALL, ReportSamples.ALL, RenderSamples.ALL, DeliverySamples.ALL)
            .<Sample<?>>flatMap(List::stream)
            .toList();

    private Samples() {}

    static List<Sample<?>> of(Topic<?> topic) {
        return ALL.stream().filter(sample -> sample.topic().equals(topic)).toList();
    }

    /** Samples of the topics that analytics teams read. */
    static List<Sample<?>> open() {
        return ALL.stream()
                .filter(sample -> sample.topic().audience() == Topic.Audience.PUBLIC)
                .toList();
    }
}
