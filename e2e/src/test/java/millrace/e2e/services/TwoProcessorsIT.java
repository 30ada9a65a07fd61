package millrace.e2e.services;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import millrace.contracts.commands.AccountCommand;
import millrace.contracts.commands.RenderTask;
import millrace.contracts.commands.SliceRef;
import millrace.contracts.topics.ConsumerGroups;
import millrace.contracts.topics.Topics;
import millrace.e2e.client.CommittedTopicReader;
import millrace.e2e.data.OperatorDataFolder;
import millrace.e2e.data.WarehouseFiles;
import millrace.e2e.process.BatchApiClient;
import millrace.e2e.process.MainProcess;
import millrace.e2e.process.ServiceProcesses;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.MemberDescription;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two processors share the slices of one report until one of them is killed. */
@Tag("thorough") // a cluster of processes
class TwoProcessorsIT {
    private static final Duration TIMEOUT = Duration.ofSeconds(150);
    /** 2,000 domains. */
    private static final int SLICES = 500;
    /** Most slices of a report in flight. */
    private static final int IN_FLIGHT = 4;

    private static final String BODY = """
            {"domains":[%s],"countries":["DE","US"],"metrics":["demographics_share","demographics_bounce_rate"],
             "start_date":"2026-01","end_date":"2026-02","granularity":"monthly"}""";

    private OperatorDataFolder own;
    private ServiceProcesses services;

    @BeforeEach
    void open(@TempDir Path data) throws Exception {
        own = OperatorDataFolder.create(data, Map.of("acme", 10_000_000L));
        services = ServiceProcesses.over(own, "acme");
    }

    @AfterEach
    void close() {
        services.close();
    }

    @Test
    void onlyTheRunningSlicesOfAKilledOneAreRunAgain() throws Exception {
        MainProcess gateway = services.gateway("gateway-1");
        BatchApiClient api = services.api(gateway);
        processor("processor-1", gateway);
        MainProcess victim = processor("processor-2", gateway);
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", services.bootstrapServers()))) {
            await("both have partitions")
                    .atMost(TIMEOUT)
                    .until(() -> !partitions(admin, "processor-1").isEmpty()
                            && !partitions(admin, "processor-2").isEmpty());
            Set<TopicPartition> doomed = partitions(admin, "processor-2");
            String id = api.submit("demographics", BODY.formatted(domains()));
            await("the second one has rendered").atMost(TIMEOUT).until(() -> done(admin, doomed) >= 20);
            victim.kill();
            assertThat(api.status(id).text("status")).isEqualTo("processing");

            BatchApiClient.Answer ended = api.ended(id, TIMEOUT);
            assertThat(ended.text("status")).as("%s", ended.body()).isEqualTo("complete");
            holdsEveryRow(api.download(ended));
        }
        eachSliceWasHandedOutOnceAndOnlyRunningOnesRanAgain();
    }

    private MainProcess processor(String instance, MainProcess gateway) throws Exception {
        return services.processor(instance, ServiceProcesses.address(gateway), "--processor.slice.entities=4");
    }

    private void holdsEveryRow(String csv) throws Exception {
        try (WarehouseFiles warehouse = WarehouseFiles.open(own.warehouse())) {
            List<String> rows = warehouse
                    .rows(
                            "SELECT domain, country, date, age_group, gender, demographics_share, demographics_bounce_rate"
                                    + " FROM demographics WHERE NOT subdomains ORDER BY domain, country, date, age_group, gender")
                    .stream()
                    .map(row -> String.join(",", row))
                    .toList();
            assertThat(csv.lines().skip(1).toList()).isEqualTo(rows);
        }
    }

    private void eachSliceWasHandedOutOnceAndOnlyRunningOnesRanAgain() {
        List<SliceRef> handedOut = CommittedTopicReader.read(services.bootstrapServers(), Topics.SLICES).stream()
                .map(RenderTask::slice)
                .toList();
        assertThat(handedOut).hasSize(SLICES + 1).doesNotHaveDuplicates();
        assertThat(handedOut).allSatisfy(slice -> assertThat(slice.dispatch()).isEqualTo(1));
        List<SliceRef> answers =
                CommittedTopicReader.read(services.bootstrapServers(), Topics.ACCOUNT_COMMANDS).stream()
                        .filter(AccountCommand.SliceDone.class::isInstance)
                        .map(answer -> ((AccountCommand.SliceDone) answer).slice())
                        .toList();
        assertThat(Set.copyOf(answers)).hasSize(SLICES);
        assertThat(answers).hasSizeLessThanOrEqualTo(SLICES + IN_FLIGHT);
    }

    private static Set<TopicPartition> partitions(Admin admin, String instance)
            throws ExecutionException, InterruptedException {
        var groups = admin.describeConsumerGroups(List.of(ConsumerGroups.RENDERERS))
                .all()
                .get();
        return Objects.requireNonNull(groups.get(ConsumerGroups.RENDERERS)).members().stream()
                .filter(member -> member.groupInstanceId().orElse("").startsWith(instance))
                .map(MemberDescription::assignment)
                .flatMap(assignment -> assignment.topicPartitions().stream())
                .collect(Collectors.toSet());
    }

    /** Number of finished tasks of these partitions. */
    private static long done(Admin admin, Set<TopicPartition> partitions)
            throws ExecutionException, InterruptedException {
        return admin
                .listConsumerGroupOffsets(ConsumerGroups.RENDERERS)
                .partitionsToOffsetAndMetadata()
                .get()
                .entrySet()
                .stream()
                .filter(offset -> partitions.contains(offset.getKey()))
                .mapToLong(offset -> offset.getValue().offset())
                .sum();
    }

    private static String domains() {
        return IntStream.rangeClosed(1, 2_000)
                .mapToObj(i -> "\"d" + i + ".example\"")
                .collect(Collectors.joining(","));
    }
}
