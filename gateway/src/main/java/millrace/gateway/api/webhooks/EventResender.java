package millrace.gateway.api.webhooks;

import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import millrace.contracts.delivery.DeliveryCommand;
import millrace.contracts.delivery.DeliveryCommand.Deliver;
import millrace.contracts.delivery.DeliveryCommand.Resend;
import millrace.contracts.topics.Topics;
import millrace.gateway.admission.CommandLog;
import millrace.gateway.copy.RecordLookup;
import millrace.gateway.copy.deliveries.DeliveryIndex;
import millrace.gateway.copy.deliveries.DeliveryView;
import org.jspecify.annotations.Nullable;

/**
 * Resends events that an account asks for: reads them from Kafka by their offsets and appends them
 * again.
 */
@Singleton
final class EventResender {
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    /** Events that are read in one turn, and whose bodies are in memory at the same time. */
    private static final int AT_ONCE = 250;

    private final DeliveryIndex index;
    private final RecordLookup records;
    private final CommandLog log;
    private final InstantSource clock;

    EventResender(DeliveryIndex index, RecordLookup records, CommandLog log, InstantSource clock) {
        this.index = index;
        this.records = records;
        this.log = log;
        this.clock = clock;
    }

    /**
     * @param acknowledged by Kafka: they will be sent
     * @param gone events that Kafka has deleted
     * @param unknown not acknowledged in time: they may or may not be sent
     */
    public record Resent(int acknowledged, int gone, int unknown) {
        private Resent plus(Resent other) {
            return new Resent(acknowledged + other.acknowledged, gone + other.gone, unknown + other.unknown);
        }
    }

    /**
     * Appends the events of one endpoint in the given order. Stops where Kafka does not
     * acknowledge. Blocks.
     */
    public Resent resend(String account, List<DeliveryView> deliveries) {
        Resent resent = new Resent(0, 0, 0);
        for (int from = 0; from < deliveries.size() && resent.unknown() == 0; from += AT_ONCE) {
            int to = Math.min(from + AT_ONCE, deliveries.size());
            resent = resent.plus(resendBatch(account, deliveries.subList(from, to)));
        }
        return resent;
    }

    private Resent resendBatch(String account, List<DeliveryView> deliveries) {
        Map<Integer, Map<Long, DeliveryCommand>> originals = new HashMap<>();
        deliveries.stream()
                .collect(Collectors.groupingBy(
                        d -> d.places().partition(),
                        Collectors.mapping(d -> d.places().delivery(), Collectors.toList())))
                .forEach((partition, offsets) -> originals.put(
                        partition, records.read(account, Topics.DELIVERIES, partition, offsets, TIMEOUT)));
        List<CompletableFuture<Outcome>> outcomes = new ArrayList<>();
        for (DeliveryView delivery : deliveries) {
            DeliveryView.Places places = delivery.places();
            DeliveryCommand original =
                    originals.getOrDefault(places.partition(), Map.of()).get(places.delivery());
            outcomes.add(append(delivery, original));
        }
        List<Outcome> all = outcomes.stream().map(CompletableFuture::join).toList();
        index.resent(all.stream()
                .flatMap(outcome -> Stream.ofNullable(outcome.appended()))
                .toList());
        return all.stream().map(Outcome::counted).reduce(new Resent(0, 0, 0), Resent::plus);
    }

    /** @param appended where Kafka has acknowledged it, else null */
    private record Outcome(Resent counted, DeliveryIndex.@Nullable Resent appended) {}

    private CompletableFuture<Outcome> append(DeliveryView delivery, @Nullable DeliveryCommand original) {
        Deliver deliver = event(original);
        if (deliver == null) {
            return CompletableFuture.completedFuture(new Outcome(new Resent(0, 1, 0), null));
        }
        var resend = new Resend(deliver, delivery.attempts(), clock.instant());
        return log.append(resend)
                .handle((at, failure) -> failure == null
                        ? new Outcome(
                                new Resent(1, 0, 0), new DeliveryIndex.Resent(resend, at.partition(), at.offset()))
                        : new Outcome(new Resent(0, 0, 1), null));
    }

    /** The event of a record that has one, else null. */
    public static @Nullable Deliver event(@Nullable DeliveryCommand command) {
        return switch (command) {
            case Deliver deliver -> deliver;
            case Resend(Deliver deliver, int _, var _) -> deliver;
            case DeliveryCommand.Reinstate _, DeliveryCommand.EnableEndpoint _, DeliveryCommand.EraseReport _ -> null;
            case null -> null;
        };
    }
}
