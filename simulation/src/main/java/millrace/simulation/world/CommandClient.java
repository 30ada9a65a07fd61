package millrace.simulation.world;

import java.time.Instant;
import java.time.LocalDate;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Function;
import java.util.stream.IntStream;
import millrace.contracts.accounts.PriceRule;
import millrace.contracts.accounts.Quote;
import millrace.contracts.commands.AccountCommand;
import millrace.contracts.reports.ReportStatus;
import millrace.contracts.requests.ApiDialect;
import millrace.contracts.requests.Granularity;
import millrace.contracts.requests.ReportQuery;
import millrace.contracts.requests.ReportRequest;
import millrace.contracts.topics.Topics;
import millrace.runtime.settings.KafkaSettings;
import millrace.simulation.kafka.SimulatedKafka;
import millrace.simulation.kernel.Scheduler;
import millrace.simulation.kernel.SimulatedProcess;
import millrace.simulation.plan.PlannedAction;
import millrace.simulation.plan.ReportKind;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;

/** Sends commands as a gateway does. Commands that Kafka acknowledged are accepted. The client is never killed. */
final class CommandClient {
    private static final String TRACE = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    private static final int ENTITIES_OF_LARGE = 8;
    /** Files of every other large report. */
    private static final int PARTS_OF_LARGE = 3;

    private static final long CREDITS = 20;

    private final LinkedBlockingQueue<ProducerRecord<String, byte[]>> commands = new LinkedBlockingQueue<>();
    private final Map<UUID, ReportKind> kinds = new LinkedHashMap<>();
    private final Map<UUID, String> accounts = new LinkedHashMap<>();
    private final Map<UUID, Integer> accepted = new LinkedHashMap<>();
    private int unacknowledged;

    CommandClient(Scheduler scheduler, SimulatedKafka kafka) {
        SimulatedProcess process = scheduler.process("client");
        process.threads().platform().name("client").start(() -> {
            Map<String, Object> config =
                    KafkaSettings.local("simulated:9092", 1, "client").producerConfig("commands");
            // The client repeats each command until it is acknowledged.
            config.put("delivery.timeout.ms", Integer.MAX_VALUE);
            try (Producer<String, byte[]> producer = kafka.clientsOf(process).producer(config)) {
                while (true) {
                    send(producer, commands.take());
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
    }

    /** The id of the report with this number in the plan. */
    static UUID id(int report) {
        return new UUID(0, report + 1L);
    }

    static String url(int endpoint) {
        return "http://receiver-" + endpoint + ".example/hook";
    }

    /** All requested reports, acknowledged or not. */
    Map<UUID, ReportKind> kinds() {
        return kinds;
    }

    /** Reports whose request was acknowledged, with the newest acknowledged attempt. */
    Map<UUID, Integer> accepted() {
        return accepted;
    }

    boolean idle() {
        return commands.isEmpty() && unacknowledged == 0;
    }

    void grant(PlannedAction.Grant grant) {
        var command = new AccountCommand.GrantCredits("opening-" + grant.account(), grant.amount(), "simulation");
        send(grant.account(), command, grant.twice() ? 2 : 1);
    }

    void request(PlannedAction.Request request, Instant now) {
        UUID id = id(request.report());
        kinds.put(id, request.kind());
        accounts.put(id, request.account());
        int entities = request.kind() == ReportKind.LARGE ? ENTITIES_OF_LARGE : 1;
        var query = new ReportQuery(
                        request.kind().name().toLowerCase(Locale.ROOT),
                        IntStream.range(0, entities)
                                .mapToObj(i -> "d" + i + ".example")
                                .toList(),
                        List.of("DE"),
                        List.of("share"),
                        new ReportQuery.Dates(
                                Granularity.MONTHLY, LocalDate.parse("2026-09-01"), LocalDate.parse("2026-10-01")),
                        Map.of(),
                        false,
                        null,
                        ReportQuery.Output.CSV)
                .withSplit(
                        request.kind() == ReportKind.LARGE && request.report() % 2 == 0
                                ? new ReportQuery.Split(10_000, PARTS_OF_LARGE)
                                : null);
        String url = request.endpoint() < 0 ? null : url(request.endpoint());
        var command = new AccountCommand.RequestReport(
                id,
                new ReportRequest(query, url, null, ApiDialect.V3),
                new Quote(CREDITS, 10L * entities, PriceRule.PER_RESULT),
                null,
                now,
                TRACE);
        send(request.account(), command, request.twice() ? 2 : 1);
    }

    void cancel(PlannedAction.Cancel cancel) {
        send(id(cancel.report()), AccountCommand.CancelReport::new);
    }

    void erase(PlannedAction.Erase erase) {
        send(id(erase.report()), AccountCommand.EraseReport::new);
    }

    private void send(UUID report, Function<UUID, AccountCommand> command) {
        String account = accounts.get(report);
        if (account != null) {
            send(account, command.apply(report), 1);
        }
    }

    /** @param status the newest status that the client knows, or null */
    void retry(PlannedAction.Retry retry, @Nullable ReportStatus status) {
        if (status != null && status.error() != null && status.error().retryable()) {
            var command = new AccountCommand.RetryReport(id(retry.report()), status.attempt() + 1);
            send(status.accountId(), command, 1);
        }
    }

    private void send(String account, AccountCommand command, int times) {
        for (int i = 0; i < times; i++) {
            commands.add(new ProducerRecord<>(
                    Topics.ACCOUNT_COMMANDS.name(), account, Topics.ACCOUNT_COMMANDS.encode(command)));
        }
    }

    private void send(Producer<String, byte[]> producer, ProducerRecord<String, byte[]> command) {
        unacknowledged++;
        var unused = producer.send(command, (metadata, error) -> {
            unacknowledged--;
            if (error == null) {
                accepted(Topics.ACCOUNT_COMMANDS.decode(command.value()));
            }
        });
    }

    private void accepted(AccountCommand command) {
        if (command instanceof AccountCommand.RequestReport request) {
            accepted.putIfAbsent(request.reportId(), 1);
        } else if (command instanceof AccountCommand.RetryReport retry) {
            accepted.put(retry.reportId(), retry.attempt());
        }
    }
}
