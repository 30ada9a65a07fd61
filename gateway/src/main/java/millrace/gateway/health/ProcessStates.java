package millrace.gateway.health;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import millrace.contracts.operation.ProcessState;
import millrace.contracts.topics.Topics;
import millrace.runtime.kafka.TailedTopics;
import millrace.runtime.kafka.TopicTailer;
import millrace.runtime.service.SteadyClock;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndTimestamp;
import org.apache.kafka.common.TopicPartition;

/**
 * What the processes of the cluster say of themselves. One that has been silent is kept for an hour, so that an operator
 * sees it. Safe for use by many threads.
 */
public final class ProcessStates {
    /** Three times a process can be late. */
    static final Duration SILENCE = ProcessState.INTERVAL.multipliedBy(3);

    private static final Duration KEPT = Duration.ofHours(1);
    private static final Duration RECENT = Duration.ofMinutes(1);
    private static final int MOST = 1_000;

    private final Map<String, Known> processes = new ConcurrentHashMap<>();
    private final SteadyClock clock;
    private final TailedTopics topic;

    /** @param at when this gateway heard of it, by its own clock */
    public record Heard(ProcessState state, Instant at) {
        public boolean silent(Instant now) {
            return at.plus(SILENCE).isBefore(now);
        }
    }

    /** @param at when this gateway heard of it, in milliseconds of its steady clock */
    private record Known(ProcessState state, long at) {}

    /** @param tailer is not started yet */
    public ProcessStates(TopicTailer tailer, SteadyClock clock) {
        this.clock = clock;
        this.topic = tailer.add(Topics.PROCESS_STATES, this::beginning, this::fold);
    }

    /**
     * Whether every processor and gateway that was heard of in the last minute can read this form of the ledger's state,
     * and there is a processor. False until all is read that they have said.
     */
    public boolean allKnow(int form) {
        return topic.caughtUp() && allHeardKnow(form);
    }

    boolean allHeardKnow(int form) {
        long since = clock.millis() - RECENT.toMillis();
        List<ProcessState> recent = processes.values().stream()
                .filter(known -> known.at() >= since)
                .map(Known::state)
                .toList();
        return recent.stream().anyMatch(state -> has(state, ProcessState.PROCESSOR))
                && recent.stream()
                        .filter(state -> has(state, ProcessState.PROCESSOR) || has(state, ProcessState.GATEWAY))
                        .allMatch(state -> state.stateForm() != null && state.stateForm() >= form);
    }

    private static boolean has(ProcessState state, String service) {
        return state.services().containsKey(service);
    }

    /** All that have been heard of, by instance and services. */
    public List<Heard> all() {
        long oldest = clock.millis() - KEPT.toMillis();
        processes.values().removeIf(known -> known.at() < oldest);
        return processes.entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .map(known -> new Heard(
                        known.getValue().state(), clock.wall(known.getValue().at())))
                .toList();
    }

    /** Whoever runs has said so within the last minute. */
    private Map<TopicPartition, Long> beginning(
            Consumer<String, byte[]> consumer, Collection<TopicPartition> partitions) {
        long since = clock.wall().minus(RECENT).toEpochMilli();
        Map<TopicPartition, OffsetAndTimestamp> found =
                consumer.offsetsForTimes(partitions.stream().collect(Collectors.toMap(p -> p, p -> since)));
        Map<TopicPartition, Long> offsets = new HashMap<>(consumer.endOffsets(partitions));
        found.forEach((partition, at) -> {
            if (at != null) {
                offsets.put(partition, at.offset());
            }
        });
        return offsets;
    }

    private void fold(ConsumerRecord<String, byte[]> record) {
        if (record.key() == null) {
            return;
        }
        if (record.value() == null) {
            processes.remove(record.key());
        } else {
            fold(record.key(), Topics.PROCESS_STATES.decode(record.value()), topic.caughtUp());
        }
    }

    /** @param live whether it was written just now. Otherwise the clock of its process has to do. */
    void fold(String key, ProcessState state, boolean live) {
        if (processes.size() < MOST || processes.containsKey(key)) {
            long now = clock.millis();
            processes.put(key, new Known(state, live ? now : Math.min(now, clock.of(state.at()))));
        }
    }
}
