package millrace.simulation.kafka;

import java.lang.reflect.Proxy;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import millrace.simulation.kafka.broker.Broker;
import millrace.simulation.kafka.broker.TopicMetadata;
import millrace.simulation.kafka.group.GroupCoordinator;
import millrace.simulation.kafka.network.ClientRequest;
import millrace.simulation.kafka.network.Connection;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ConsumerGroupDescription;
import org.apache.kafka.clients.admin.DescribeConsumerGroupsResult;
import org.apache.kafka.clients.admin.DescribeTopicsResult;
import org.apache.kafka.clients.admin.ListOffsetsResult;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.MemberAssignment;
import org.apache.kafka.clients.admin.MemberDescription;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.GroupState;
import org.apache.kafka.common.GroupType;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.TopicPartitionInfo;
import org.apache.kafka.common.internals.KafkaFutureImpl;

/** An {@link Admin} client with the few methods that services use. */
final class SimulatedAdmin {
    private final Connection connection;
    private final Broker broker;

    private static final class Topics extends DescribeTopicsResult {
        private Topics(Map<String, KafkaFuture<TopicDescription>> byName) {
            super(null, byName);
        }
    }

    private SimulatedAdmin(Connection connection, Broker broker) {
        this.connection = connection;
        this.broker = broker;
    }

    /** Creates a client; its other methods throw. */
    static Admin create(Connection connection, Broker broker) {
        var simulated = new SimulatedAdmin(connection, broker);
        return (Admin) Proxy.newProxyInstance(
                Admin.class.getClassLoader(),
                new Class<?>[] {Admin.class},
                (proxy, method, arguments) -> simulated.call(method.getName(), arguments));
    }

    private Object call(String method, Object[] arguments) {
        connection.process().mayYield();
        return switch (method) {
            case "describeConsumerGroups" ->
                new DescribeConsumerGroupsResult(each((Collection<?>) arguments[0], this::group));
            case "describeTopics" -> new Topics(each((Collection<?>) arguments[0], this::topic));
            case "listOffsets" -> new ListOffsetsResult(ends(((Map<?, ?>) arguments[0]).keySet()));
            case "close" -> true;
            default -> throw new UnsupportedOperationException(method + " is not simulated");
        };
    }

    private <T> Map<String, KafkaFuture<T>> each(Collection<?> names, Function<String, T> describe) {
        Map<String, KafkaFuture<T>> futures = new LinkedHashMap<>();
        names.forEach(name -> futures.put((String) name, ask(() -> describe.apply((String) name))));
        return futures;
    }

    private Map<TopicPartition, KafkaFuture<ListOffsetsResultInfo>> ends(Set<?> partitions) {
        Map<TopicPartition, KafkaFuture<ListOffsetsResultInfo>> futures = new LinkedHashMap<>();
        partitions.stream()
                .map(TopicPartition.class::cast)
                .sorted(TopicMetadata.ORDER)
                .forEach(p -> futures.put(
                        p, ask(() -> new ListOffsetsResultInfo(broker.logs().end(p), -1, Optional.empty()))));
        return futures;
    }

    private <T> KafkaFuture<T> ask(Supplier<T> operation) {
        var future = new KafkaFutureImpl<T>();
        ClientRequest<T> request = connection.ask(operation);
        request.whenDone(() -> {
            RuntimeException error = request.error();
            var unused = error == null ? future.complete(request.get()) : future.completeExceptionally(error);
        });
        return future;
    }

    private ConsumerGroupDescription group(String name) {
        GroupState state = broker.groups().state(name);
        List<MemberDescription> members = broker.groups().members(name).stream()
                .map(SimulatedAdmin::member)
                .toList();
        return new ConsumerGroupDescription(
                name,
                false,
                members,
                "",
                GroupType.CLASSIC,
                state,
                TopicMetadata.NODE,
                Set.of(),
                Optional.empty(),
                Optional.empty());
    }

    private static MemberDescription member(GroupCoordinator.Described member) {
        return new MemberDescription(
                member.memberId(),
                Optional.ofNullable(member.instanceId()),
                Optional.empty(),
                "",
                "",
                new MemberAssignment(TopicMetadata.sorted(member.assignment())),
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
    }

    private TopicDescription topic(String name) {
        List<TopicPartitionInfo> partitions = IntStream.range(0, broker.logs().partitions(name))
                .mapToObj(i -> new TopicPartitionInfo(
                        i, TopicMetadata.NODE, List.of(TopicMetadata.NODE), List.of(TopicMetadata.NODE)))
                .toList();
        return new TopicDescription(name, false, partitions);
    }
}
