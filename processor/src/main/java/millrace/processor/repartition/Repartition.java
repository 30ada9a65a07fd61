package millrace.processor.repartition;

import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import millrace.contracts.topics.ConsumerGroups;
import millrace.contracts.topics.Topic;
import millrace.contracts.topics.Topics;
import millrace.processor.repartition.TopicCopy.Copied;
import millrace.processor.repartition.TopicCopy.CopiedTopic;
import millrace.runtime.repartition.RepartitionState;
import millrace.runtime.repartition.RepartitionState.Phase;
import millrace.runtime.settings.KafkaSettings;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * Changes the number of partitions of all topics. Each topic is copied to another name and the copy compared; when all
 * are, each is deleted, made anew with the new number from its copy, and compared again. What is done is in {@link
 * Topics#REPARTITION}, so that a run that was killed is gone on with: a topic that was being copied is copied anew. The
 * copies stay until they are given up.
 */
final class Repartition implements AutoCloseable {
    /** More than one thousand cost each transaction and each start more than they bring. */
    static final int MOST_PARTITIONS = 1000;

    private static final Duration ENDING = RunningProcesses.SILENCE.plusSeconds(3);
    private static final Duration TRANSACTIONS = Duration.ofSeconds(70);

    private final KafkaSettings kafka;
    private final Progress progress;
    private final InstantSource clock;
    private final Duration ending;
    private final Brokers brokers;
    private final Groups groups;
    private final StateWriter log;
    private final TopicCopy copy;

    /** @param progress is told what is done; what it throws ends the run where it is */
    Repartition(KafkaSettings kafka, Progress progress, InstantSource clock) {
        this(kafka, progress, clock, ENDING);
    }

    /** @param ending how long to wait for processes that were just stopped */
    Repartition(KafkaSettings kafka, Progress progress, InstantSource clock, Duration ending) {
        this.kafka = kafka;
        this.progress = progress;
        this.clock = clock;
        this.ending = ending;
        this.brokers = new Brokers(kafka);
        this.groups = new Groups(brokers.admin());
        this.log = new StateWriter(kafka, brokers);
        this.copy = new TopicCopy(kafka, progress);
    }

    /** How far the last run has come; empty if there was none. */
    Optional<RepartitionState> state() {
        return log.state();
    }

    /**
     * What {@link #run} would do. Changes nothing.
     *
     * @throws RepartitionException if it would refuse, except that services run
     */
    Plan plan(int to) {
        return stopping("looking", () -> plan(partitions(to), to));
    }

    /** How many offsets are still to be read, to copy and to compare, of what was begun. */
    long left() {
        RepartitionState state = log.state().orElse(null);
        long left = 0;
        if (state != null) {
            for (String name : log.topics(state)) {
                MovedTopic topic = log.topic(name);
                int times = (topic.backup() == null ? 2 : 0) + (topic.switched() == null ? 2 : 0);
                left += times * sum(topic.ends());
            }
        }
        return left;
    }

    /**
     * Does it, or goes on with it.
     *
     * @throws RepartitionException with what to do
     */
    void run(int to) {
        stopping("changing the number of partitions", () -> {
            RepartitionState state = log.state().orElse(null);
            if (state != null && state.phase() == Phase.SWITCHED) {
                throw new RepartitionException(
                        "the change from " + state.from() + " to " + state.to()
                                + " partitions is not confirmed: repartition --confirm deletes what was before, --undo goes back");
            }
            if (state != null && !state.phase().isUsable()) {
                if (state.phase() == Phase.GOING_BACK) {
                    throw new RepartitionException("it is going back; run repartition --undo until that is done");
                }
                if (state.to() != to) {
                    throw new RepartitionException("a change to " + state.to() + " partitions is not finished; run"
                            + " repartition --partitions " + state.to() + ", or --undo");
                }
                awaitNobody();
            } else {
                state = begin(partitions(to), to, state);
            }
            refuseMembers(state);
            if (state.phase() == Phase.BACKING_UP) {
                state = backUp(state);
            }
            switchOver(state);
            log.write(finished(state).in(Phase.SWITCHED));
            return state;
        });
    }

    /**
     * Deletes what was before.
     *
     * @throws RepartitionException if there is nothing to confirm
     */
    void confirm() {
        stopping("deleting what was before", () -> {
            RepartitionState state = in(Phase.SWITCHED);
            brokers.delete(copies(state));
            log.write(state.in(Phase.OVER));
            return state;
        });
    }

    /**
     * Goes back to what was before.
     *
     * @param discard also if services have written something since, which is then lost
     * @throws RepartitionException if there is nothing to go back to
     */
    void undo(boolean discard) {
        stopping("going back", () -> {
            RepartitionState state = in(Phase.BACKING_UP, Phase.SWITCHING, Phase.SWITCHED, Phase.GOING_BACK);
            awaitNobody();
            if (state.phase() == Phase.SWITCHED && !discard) {
                refuseChanged(state);
            }
            if (state.phase() != Phase.GOING_BACK) {
                for (String topic : log.topics(state)) {
                    log.write(topic, log.topic(topic).switched(null));
                }
                state = state.in(Phase.GOING_BACK);
                log.write(state);
            }
            refuseMembers(state);
            goBack(state);
            RepartitionState back = finished(state);
            brokers.delete(copies(state));
            log.write(back.in(Phase.OVER));
            return back;
        });
    }

    // Before

    /** The number of partitions that all topics have. */
    private int partitions(int to) {
        if (to < 1 || to > MOST_PARTITIONS) {
            throw new RepartitionException("the number of partitions is from 1 to " + MOST_PARTITIONS);
        }
        Map<String, TopicDescription> topics = brokers.describe(names());
        Map<Integer, Set<String>> byNumber = new TreeMap<>();
        topics.forEach(
                (name, topic) -> byNumber.computeIfAbsent(topic.partitions().size(), number -> new TreeSet<>())
                        .add(name));
        if (byNumber.isEmpty()) {
            throw new RepartitionException("this Kafka has no topics of Millrace; kafka.partitions says how many"
                    + " partitions they get when the services first start");
        }
        if (byNumber.size() > 1) {
            throw new RepartitionException("the topics differ in their number of partitions: " + byNumber
                    + ". Services do not start on these; restore all topics of one moment.");
        }
        int from = byNumber.keySet().iterator().next();
        if (from == to) {
            throw new RepartitionException("all topics have " + to + " partitions already; set kafka.partitions to "
                    + to + " for all services");
        }
        return from;
    }

    private static List<String> names() {
        return Stream.concat(Topics.ALL.stream().map(Topic::name), Stream.of(Topics.LEDGER_CHANGELOG))
                .toList();
    }

    private Plan plan(int from, int to) {
        Set<String> topics = new TreeSet<>(brokers.describe(names()).keySet());
        SortedMap<String, Long> offsets = new TreeMap<>();
        Map<String, List<Long>> ends = new HashMap<>();
        for (String topic : topics) {
            List<Long> end = brokers.ends(topic, from, IsolationLevel.READ_UNCOMMITTED);
            ends.put(topic, end);
            offsets.put(topic, sum(end) - sum(brokers.beginnings(topic, from)));
        }
        SortedMap<String, Map<String, Long>> others = new TreeMap<>();
        var undecided = new long[1];
        groups.committed(topics)
                .forEach((topic, committed) -> committed.forEach((group, commits) -> {
                    long left = sum(Objects.requireNonNull(ends.get(topic)))
                            - commits.values().stream()
                                    .mapToLong(Commit::offset)
                                    .sum();
                    if (!Groups.OWN.contains(group)) {
                        others.computeIfAbsent(group, g -> new TreeMap<>()).put(topic, Math.max(0, left));
                    } else if (group.equals(ConsumerGroups.PROCESSOR)) {
                        undecided[0] = Math.max(0, left);
                    }
                }));
        return new Plan(from, to, offsets, brokers.bytes(topics), undecided[0], others);
    }

    private static long sum(Collection<Long> offsets) {
        return offsets.stream().mapToLong(Long::longValue).sum();
    }

    private RepartitionState begin(int from, int to, @Nullable RepartitionState last) {
        awaitNobody();
        Map<String, TopicDescription> topics = brokers.describe(names());
        awaitTransactions(topics.keySet(), from);
        Map<String, Map<String, Map<Integer, Commit>>> committed = groups.committed(topics.keySet());
        refuseMembers(committed.values());
        Map<String, List<String>> ids = new HashMap<>(last == null ? Map.of() : last.ids());
        ids.keySet().retainAll(topics.keySet());
        log.create();
        topics.forEach((name, topic) -> {
            String id = topic.topicId().toString();
            ids.merge(name, List.of(id), Repartition::joined);
            int replication = topic.partitions().stream()
                    .mapToInt(partition -> partition.replicas().size())
                    .min()
                    .orElse(1);
            log.write(
                    name,
                    new MovedTopic(
                            id,
                            replication,
                            brokers.config(name),
                            brokers.ends(name, from, IsolationLevel.READ_COMMITTED),
                            committed.getOrDefault(name, Map.of()),
                            null,
                            null));
        });
        var state = new RepartitionState(from, to, Phase.BACKING_UP, clock.instant(), ids);
        log.write(state);
        return state;
    }

    private static List<String> joined(List<String> before, List<String> more) {
        List<String> all = new ArrayList<>(before);
        all.removeAll(more);
        all.addAll(more);
        return List.copyOf(all);
    }

    /** Waits a moment for processes that were just stopped. */
    private void awaitNobody() {
        long end = System.nanoTime() + ending.toNanos();
        Set<String> running = running();
        if (!running.isEmpty()) {
            progress.begins("waiting for the end of " + String.join(", ", running));
        }
        while (!running.isEmpty()) {
            if (System.nanoTime() > end) {
                throw new RepartitionException("services run: " + String.join("; ", running)
                        + ". Stop all gateways, processors and notifiers, and try again.");
            }
            Brokers.pause();
            running = running();
        }
    }

    private Set<String> running() {
        Set<String> running = new TreeSet<>();
        groups.members(Groups.OWN).forEach((group, members) -> running.add(group + ": " + String.join(", ", members)));
        if (brokers.describe(List.of(Topics.PROCESS_STATES.name())).size() == 1) {
            running.addAll(new RunningProcesses(kafka, clock).names());
        }
        return running;
    }

    private void refuseMembers(RepartitionState state) {
        refuseMembers(log.topics(state).stream()
                .map(topic -> log.topic(topic).offsets())
                .toList());
    }

    /** @param committed what groups have committed in topics: by group and partition */
    private void refuseMembers(Collection<Map<String, Map<Integer, Commit>>> committed) {
        Set<String> others = new TreeSet<>();
        committed.forEach(topic -> others.addAll(topic.keySet()));
        others.removeAll(Groups.OWN);
        Map<String, List<String>> members = groups.members(others);
        if (!members.isEmpty()) {
            throw new RepartitionException("consumer groups of other teams read these topics and have members: "
                    + members + ". Let their teams stop them until it is done, and run the command again; their offsets"
                    + " are moved.");
        }
    }

    private void awaitTransactions(Set<String> topics, int partitions) {
        long end = System.nanoTime() + TRANSACTIONS.toNanos();
        List<String> open = open(topics, partitions);
        if (!open.isEmpty()) {
            progress.begins("waiting for the end of transactions in " + String.join(", ", open));
        }
        while (!open.isEmpty()) {
            if (System.nanoTime() > end) {
                throw new RepartitionException("transactions are open in " + String.join(", ", open)
                        + ": see kafka-transactions.sh find-hanging and abort");
            }
            Brokers.pause();
            open = open(topics, partitions);
        }
    }

    private List<String> open(Set<String> topics, int partitions) {
        return topics.stream()
                .filter(topic -> !brokers.ends(topic, partitions, IsolationLevel.READ_COMMITTED)
                        .equals(brokers.ends(topic, partitions, IsolationLevel.READ_UNCOMMITTED)))
                .sorted()
                .toList();
    }

    // The copies

    private RepartitionState backUp(RepartitionState state) {
        Set<String> topics = log.topics(state);
        topics.forEach(brokers::keepAll);
        for (List<String> unit : units(topics)) {
            if (unit.stream().allMatch(topic -> log.topic(topic).backup() != null)) {
                continue;
            }
            progress.begins("copying " + String.join(" and ", unit));
            List<CopiedTopic> wanted = unit.stream()
                    .map(topic -> {
                        MovedTopic before = log.topic(topic);
                        String name = copyName(topic, state);
                        brokers.makeAnew(name, state.from(), before.replication(), before.config());
                        return new CopiedTopic(topic, topic, state.from(), name, state.from(), before.offsets());
                    })
                    .toList();
            List<Copied> copied = copy(wanted);
            for (int i = 0; i < unit.size(); i++) {
                log.write(unit.get(i), log.topic(unit.get(i)).backedUp(copied.get(i)));
            }
        }
        refuseMoved(state, topics);
        RepartitionState next = state.in(Phase.SWITCHING);
        log.write(next);
        return next;
    }

    private void refuseMoved(RepartitionState state, Set<String> topics) {
        for (String topic : topics) {
            List<Long> now = brokers.ends(topic, state.from(), IsolationLevel.READ_UNCOMMITTED);
            if (!now.equals(log.topic(topic).ends())) {
                throw new RepartitionException("somebody has written to " + topic + " since it was copied. Nothing is"
                        + " changed yet: stop who it was, run repartition --undo, and begin again.");
            }
        }
    }

    /** Deliveries and the states that point to them are one unit, every other topic is one of its own. */
    private static List<List<String>> units(Set<String> topics) {
        List<List<String>> units = new ArrayList<>();
        Set<String> left = new TreeSet<>(topics);
        List<String> pair = List.of(Topics.DELIVERIES.name(), Topics.DELIVERY_STATE.name());
        if (left.containsAll(pair)) {
            pair.forEach(left::remove);
            units.add(pair);
        }
        left.forEach(topic -> units.add(List.of(topic)));
        return units;
    }

    private List<Copied> copy(List<CopiedTopic> unit) {
        return unit.size() == 1 ? List.of(copy.copy(unit.getFirst())) : copy.copy(unit.getFirst(), unit.getLast());
    }

    private static String copyName(String topic, RepartitionState state) {
        return topic + ".before-" + state.from();
    }

    private Set<String> copies(RepartitionState state) {
        Set<String> copies = new TreeSet<>();
        log.topics(state).forEach(topic -> copies.add(copyName(topic, state)));
        return copies;
    }

    // The switch

    private void switchOver(RepartitionState state) {
        Set<String> topics = log.topics(state);
        for (List<String> unit : units(topics)) {
            if (unit.stream().anyMatch(topic -> log.topic(topic).switched() == null)) {
                progress.begins("making " + String.join(" and ", unit) + " with " + state.to() + " partitions");
                makeFromCopies(unit, state, state.to());
            }
        }
    }

    private void makeFromCopies(List<String> unit, RepartitionState state, int partitions) {
        List<CopiedTopic> wanted = unit.stream()
                .map(topic -> {
                    MovedTopic before = log.topic(topic);
                    brokers.makeAnew(topic, partitions, before.replication(), before.config());
                    return new CopiedTopic(
                            topic,
                            copyName(topic, state),
                            state.from(),
                            topic,
                            partitions,
                            backup(before).offsets());
                })
                .toList();
        List<Copied> made = copy(wanted);
        for (int i = 0; i < unit.size(); i++) {
            MovedTopic before = log.topic(unit.get(i));
            if (made.get(i).readSum() != backup(before).writtenSum()) {
                throw new RepartitionException("the copy of " + unit.get(i)
                        + " is not what it was when it was made. Stop here, and restore Kafka from a backup.");
            }
            log.write(unit.get(i), before.switched(made.get(i)));
        }
    }

    private static Copied backup(MovedTopic topic) {
        return Objects.requireNonNull(topic.backup(), "copies are made before topics are");
    }

    /** Commits offsets, lets records expire again, and returns the state with the ids of the new topics. */
    private RepartitionState finished(RepartitionState state) {
        progress.begins("moving the offsets of consumer groups");
        Map<String, Map<TopicPartition, OffsetAndMetadata>> offsets = new TreeMap<>();
        Set<String> topics = log.topics(state);
        for (String topic : topics) {
            Copied made = log.topic(topic).switched();
            if (made != null) {
                made.offsets()
                        .forEach((group, commits) -> commits.forEach(
                                (partition, commit) -> offsets.computeIfAbsent(group, g -> new HashMap<>())
                                        .put(
                                                new TopicPartition(topic, partition),
                                                new OffsetAndMetadata(commit.offset(), commit.metadata()))));
            }
        }
        offsets.forEach((group, moved) -> {
            groups.commit(group, moved);
            if (!Groups.OWN.contains(group)) {
                progress.said("The offsets of the consumer group " + group + " of another team are moved.");
            }
        });
        topics.forEach(topic -> brokers.restoreConfig(topic, log.topic(topic).config()));
        Map<String, List<String>> ids = new HashMap<>(state.ids());
        brokers.describe(topics)
                .forEach(
                        (name, topic) -> ids.merge(name, List.of(topic.topicId().toString()), Repartition::joined));
        return new RepartitionState(state.from(), state.to(), state.phase(), state.startedAt(), ids);
    }

    // The way back

    private RepartitionState in(Phase... phases) {
        RepartitionState state = log.state().orElse(null);
        if (state == null || !List.of(phases).contains(state.phase())) {
            throw new RepartitionException(
                    state != null && !state.phase().isUsable()
                            ? "the change to " + state.to()
                                    + " partitions is not finished; run repartition --partitions " + state.to()
                                    + ", or --undo"
                            : "there is nothing to confirm or to go back from");
        }
        return state;
    }

    private void refuseChanged(RepartitionState state) {
        for (String topic : log.topics(state)) {
            Copied made = log.topic(topic).switched();
            if (made != null
                    && !topic.equals(Topics.PROCESS_STATES.name())
                    && !brokers.ends(topic, state.to(), IsolationLevel.READ_UNCOMMITTED)
                            .equals(made.ends())) {
                throw new RepartitionException("services have written since, to " + topic + " for example, and going"
                        + " back would lose it. To have " + state.from()
                        + " partitions and all that is new: repartition"
                        + " --confirm, and then --partitions " + state.from() + ". To lose it: --undo --discard.");
            }
        }
    }

    private void goBack(RepartitionState state) {
        Set<String> topics = log.topics(state);
        Map<String, TopicDescription> now = brokers.describe(topics);
        for (List<String> unit : units(topics)) {
            boolean deleted = unit.stream().anyMatch(topic -> {
                TopicDescription there = now.get(topic);
                return there == null
                        || !there.topicId().toString().equals(log.topic(topic).id());
            });
            if (deleted && unit.stream().anyMatch(topic -> log.topic(topic).switched() == null)) {
                progress.begins("making " + String.join(" and ", unit) + " with " + state.from() + " partitions");
                makeFromCopies(unit, state, state.from());
            }
        }
    }

    /** Work that talks to Kafka. */
    private interface Work<T> {
        T run();
    }

    private static <T> T stopping(String what, Work<T> work) {
        try {
            return work.run();
        } catch (KafkaException e) {
            throw new RepartitionException(
                    "Kafka stopped " + what + ": " + e.getMessage()
                            + ". Nothing is lost. When the brokers are well and have space, run the command again; it"
                            + " goes on where it is.",
                    e);
        }
    }

    @Override
    public void close() {
        log.close();
        brokers.close();
    }
}
