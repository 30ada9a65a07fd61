package millrace.processor;

import java.io.IOException;
import java.security.SecureRandom;
import java.util.function.Consumer;
import java.util.function.Function;
import millrace.contracts.ReportStatus;
import millrace.contracts.Topics;
import millrace.files.LinkSecret;
import millrace.files.SignedLinks;
import millrace.processor.account.Ledger;
import millrace.processor.warehouse.DataVersions;
import millrace.runtime.KafkaSettings;
import millrace.runtime.SettingsException;
import millrace.runtime.TopicCreation;
import org.apache.kafka.streams.Topology;
import org.jspecify.annotations.Nullable;

/** The service: the ledger, and the workers that render what it hands out. */
public final class Processor implements AutoCloseable {
    private final StreamsRun ledger;

    private Processor(StreamsRun ledger) {
        this.ledger = ledger;
    }

    /**
     * Makes the topics that are missing and starts; does not wait until it processes.
     *
     * @param onFatal told of an error after which the service does nothing any more
     * @throws SettingsException where the settings cannot be used, or Kafka cannot be reached
     */
    public static Processor start(
            ProcessorSettings settings, KafkaSettings kafka, DataVersions versions, Consumer<Throwable> onFatal) {
        TopicCreation.ensure(kafka, Topics.ALL);
        return new Processor(ledger(settings, kafka, versions, onFatal));
    }

    static StreamsRun ledger(
            ProcessorSettings settings, KafkaSettings kafka, DataVersions versions, Consumer<Throwable> onFatal) {
        return StreamsRun.start(topology(settings, versions, downloadUrls(settings)), settings, kafka, onFatal);
    }

    /** Whether the ledger processes, or is about to. */
    public boolean alive() {
        return ledger.alive();
    }

    @Override
    public void close() {
        ledger.close();
    }

    static Topology topology(
            ProcessorSettings settings, DataVersions versions, Function<ReportStatus, @Nullable String> downloadUrls) {
        var rules = new Ledger(settings.rules());
        var outbox = new Outbox(downloadUrls);
        return ReportTopology.of(() -> new AccountStep(rules, versions, outbox));
    }

    private static Function<ReportStatus, @Nullable String> downloadUrls(ProcessorSettings settings) {
        SignedLinks links = links(settings);
        return report -> {
            ReportStatus.Result result = report.result();
            return result == null
                    ? null
                    : links.link(report.reportId(), result.file(), result.expiresAt())
                            .toString();
        };
    }

    private static SignedLinks links(ProcessorSettings settings) {
        try {
            return new SignedLinks(
                    settings.publicAddress(), LinkSecret.load(settings.linkSecret(), new SecureRandom()));
        } catch (IOException e) {
            throw new SettingsException("the link secret cannot be used: " + e.getMessage());
        }
    }
}
