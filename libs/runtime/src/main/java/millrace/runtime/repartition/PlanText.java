package millrace.runtime.repartition;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Says a {@link Plan}. */
final class PlanText {
    private PlanText() {}

    static List<String> of(Plan plan) {
        List<String> text = new ArrayList<>();
        text.add(String.format(
                Locale.ROOT,
                "%d topics with %,d records at most and %,d MB on the brokers' disks go from %d to %d partitions.",
                plan.topics().size(),
                plan.offsets(),
                megabytes(plan.bytes()),
                plan.from(),
                plan.to()));
        text.add(String.format(
                Locale.ROOT,
                "The brokers need some %,d MB more until repartition --confirm deletes the copies of what was before.",
                megabytes(plan.bytes())));
        if (plan.undecided() > 0) {
            text.add(String.format(
                    Locale.ROOT,
                    "%,d commands are not decided yet; the ledger decides them afterwards.",
                    plan.undecided()));
        }
        plan.others().forEach((group, topics) -> {
            List<String> behind = topics.entrySet().stream()
                    .map(topic -> String.format(Locale.ROOT, "%s (%,d not read)", topic.getKey(), topic.getValue()))
                    .toList();
            text.add("The consumer group " + group + " of another team reads " + String.join(", ", behind) + ".");
        });
        if (!plan.others().isEmpty()) {
            text.add(otherTeams(plan));
        }
        text.add(
                "Readers that keep their offsets elsewhere than in Kafka (connectors, checkpoints of Spark or Flink) are"
                        + " not seen from here: each has to begin at new offsets, by time or at the beginning.");
        return text;
    }

    private static String otherTeams(Plan plan) {
        return "Their offsets are moved, so that no record is missed"
                + (plan.to() % plan.from() == 0 ? " and none comes twice." : "; some may come twice.")
                + " Their teams stop them until it is done, and start them again then.";
    }

    private static long megabytes(long bytes) {
        return (bytes + 999_999) / 1_000_000;
    }
}
