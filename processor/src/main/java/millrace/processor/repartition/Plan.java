package millrace.processor.repartition;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;

/**
 * What is to be done, as far as Kafka tells.
 *
 * @param from number of partitions now
 * @param to number of partitions that is wanted
 * @param topics that exist, with the number of offsets in each
 * @param bytes that they take on the disks of all brokers
 * @param undecided commands that the ledger has not read yet
 * @param others by consumer group of other teams: topics, and how many offsets of each it has not read
 */
record Plan(
        int from,
        int to,
        SortedMap<String, Long> topics,
        long bytes,
        long undecided,
        SortedMap<String, Map<String, Long>> others) {
    /** Of all topics. */
    long offsets() {
        return topics.values().stream().mapToLong(Long::longValue).sum();
    }

    /** How many offsets are to be read: each is read to copy it and to compare the copy, and that twice. */
    long reads() {
        return 4 * offsets();
    }

    /** The plan in sentences for the operator. */
    List<String> sentences() {
        List<String> text = new ArrayList<>();
        text.add(String.format(
                Locale.ROOT,
                "%d topics with %,d records at most and %,d MB on the brokers' disks go from %d to %d partitions.",
                topics.size(),
                offsets(),
                megabytes(bytes),
                from,
                to));
        text.add(String.format(
                Locale.ROOT,
                "The brokers need some %,d MB more until repartition --confirm deletes the copies of what was before.",
                megabytes(bytes)));
        if (undecided > 0) {
            text.add(String.format(
                    Locale.ROOT, "%,d commands are not decided yet; the ledger decides them afterwards.", undecided));
        }
        others.forEach((group, unread) -> {
            List<String> behind = unread.entrySet().stream()
                    .map(topic -> String.format(Locale.ROOT, "%s (%,d not read)", topic.getKey(), topic.getValue()))
                    .toList();
            text.add("The consumer group " + group + " of another team reads " + String.join(", ", behind) + ".");
        });
        if (!others.isEmpty()) {
            text.add(otherTeams());
        }
        text.add(
                "Readers that keep their offsets elsewhere than in Kafka (connectors, checkpoints of Spark or Flink) are"
                        + " not seen from here: each has to begin at new offsets, by time or at the beginning.");
        return text;
    }

    private String otherTeams() {
        return "Their offsets are moved, so that no record is missed"
                + (to % from == 0 ? " and none comes twice." : "; some may come twice.")
                + " Their teams stop them until it is done, and start them again then.";
    }

    private static long megabytes(long bytes) {
        return (bytes + 999_999) / 1_000_000;
    }
}
