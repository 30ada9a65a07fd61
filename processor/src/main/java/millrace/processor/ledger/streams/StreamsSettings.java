package millrace.processor.ledger.streams;

import java.nio.file.Path;
import java.time.Duration;

/**
 * How Kafka Streams runs the ledger.
 *
 * @param state folder of its local state; one process at a time uses it
 * @param standbys copies of the state that other processes keep warm
 * @param commitInterval longest time between two commits that no step asks for
 */
public record StreamsSettings(Path state, int threads, int standbys, Duration commitInterval) {}
