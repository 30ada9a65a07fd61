package millrace.gateway.bootstrap;

import io.micronaut.context.annotation.Bean;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Primary;
import jakarta.inject.Singleton;
import java.net.URI;
import java.time.InstantSource;
import java.util.UUID;
import millrace.contracts.topics.ConsumerGroups;
import millrace.gateway.access.ApiKeys;
import millrace.gateway.access.ClusterRateLimit;
import millrace.gateway.access.KeyUseLog;
import millrace.gateway.access.KeyUses;
import millrace.gateway.access.PassedRequestLog;
import millrace.gateway.admission.Submissions.ReportIdSource;
import millrace.gateway.api.datasets.EntityNames;
import millrace.gateway.api.datasets.PublishedDatasets;
import millrace.gateway.api.status.DownloadLinks;
import millrace.gateway.copy.PartitionEnds;
import millrace.gateway.copy.RecordLookup;
import millrace.gateway.copy.activity.ActivityReader;
import millrace.gateway.copy.activity.ActivityStore;
import millrace.gateway.copy.deliveries.DeliveryIndex;
import millrace.gateway.copy.deliveries.DeliveryReader;
import millrace.gateway.copy.deliveries.EndpointStates;
import millrace.gateway.copy.reports.AlreadyFoldedCommands;
import millrace.gateway.copy.reports.ModelReader;
import millrace.gateway.copy.reports.ReadModel;
import millrace.gateway.health.ProcessStates;
import millrace.gateway.settings.GatewaySettings;
import millrace.gateway.statements.StatementLog;
import millrace.gateway.statements.StatementSigner;
import millrace.runtime.accounts.Accounts;
import millrace.runtime.accounts.AccountsReader;
import millrace.runtime.kafka.FoldedOffsets;
import millrace.runtime.kafka.KafkaAvailability;
import millrace.runtime.kafka.TopicTailer;
import millrace.runtime.management.DiskSpaceMonitor;
import millrace.runtime.service.CatalogAgreement;
import millrace.runtime.service.SteadyClock;
import millrace.runtime.settings.KafkaSettings;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Creates the beans of classes that carry no Micronaut annotations. */
@Factory
final class GatewayBeanFactory {
    private static final Logger LOG = LoggerFactory.getLogger(GatewayBeanFactory.class);

    private final GatewayDependencies dependencies;
    private final GatewaySettings settings;
    private final KafkaSettings kafka;

    GatewayBeanFactory(GatewayDependencies dependencies, GatewaySettings settings, KafkaSettings kafka) {
        this.dependencies = dependencies;
        this.settings = settings;
        this.kafka = kafka;
    }

    @Singleton
    Accounts accounts(ApiKeys keys) {
        return new Accounts(dependencies.encryption(), dependencies.clock(), keys::put);
    }

    /** Reads the topics in which little happens, each for the bean that adds it. Started when all have. */
    @Singleton
    @Bean(preDestroy = "close")
    TopicTailer smallTopics() {
        return new TopicTailer(kafka, "small-topics", new FoldedOffsets());
    }

    @Singleton
    AccountsReader accountsReader(TopicTailer smallTopics, Accounts accounts) {
        return new AccountsReader(
                smallTopics, accounts, e -> LOG.error("webhook secrets not decrypted error={}", e.getMessage()));
    }

    @Singleton
    KeyUseLog keyUseLog(TopicTailer smallTopics, KeyUses uses, Accounts accounts, AccountsReader reader) {
        return new KeyUseLog(kafka, smallTopics, uses, accounts, reader::current, steady());
    }

    @Singleton
    ProcessStates processStates(TopicTailer smallTopics) {
        return new ProcessStates(smallTopics, steady());
    }

    @Singleton
    CatalogAgreement catalogAgreement() {
        return new CatalogAgreement(dependencies.catalog()::declarationHash, dependencies.clock());
    }

    private SteadyClock steady() {
        return new SteadyClock(dependencies.clock(), System::nanoTime);
    }

    @Singleton
    @Primary // Micronaut has one, too
    InstantSource clock() {
        return dependencies.clock();
    }

    @Singleton
    ReportIdSource ids() {
        return dependencies.ids();
    }

    @Singleton
    @Bean(preDestroy = "close")
    DiskSpaceMonitor disk() {
        return dependencies.disk();
    }

    @Singleton
    ClusterRateLimit rates() {
        return new ClusterRateLimit(System::nanoTime);
    }

    @Singleton
    PassedRequestLog passedRequestLog(TopicTailer smallTopics, ClusterRateLimit rates) {
        return new PassedRequestLog(kafka, smallTopics, UUID.randomUUID().toString(), rates, System::nanoTime);
    }

    @Singleton
    @Bean(preDestroy = "close")
    KafkaAvailability kafkaAvailability() {
        return KafkaAvailability.start(kafka);
    }

    @Singleton
    FoldedOffsets foldedOffsets() {
        return new FoldedOffsets();
    }

    @Singleton
    @Bean(preDestroy = "close")
    ModelReader reader(
            ReadModel model,
            AlreadyFoldedCommands alreadyFolded,
            FoldedOffsets foldedOffsets,
            CatalogAgreement catalogs) {
        return new ModelReader(
                kafka, ConsumerGroups.PROCESSOR, model, alreadyFolded, foldedOffsets, catalogs, dependencies.clock());
    }

    @Singleton
    @Bean(preDestroy = "close")
    DeliveryReader deliveryReader(DeliveryIndex index, EndpointStates states, FoldedOffsets foldedOffsets) {
        return new DeliveryReader(kafka, index, states, foldedOffsets, dependencies.clock());
    }

    @Singleton
    @Bean(preDestroy = "close")
    ActivityReader activityReader(ActivityStore store, PartitionEnds ends) {
        store.askEnds(ends::ends);
        return new ActivityReader(kafka, store);
    }

    @Singleton
    @Bean(preDestroy = "close")
    RecordLookup deliveryRecords() {
        return new RecordLookup(kafka, "webhook-records");
    }

    @Singleton
    PublishedDatasets publishedDatasets(TopicTailer smallTopics, EntityNames names) {
        return new PublishedDatasets(smallTopics, names::published);
    }

    @Singleton
    StatementLog statementLog(ActivityStore store, ActivityReader reader, StatementSigner signer, InstantSource clock) {
        return new StatementLog(kafka, store, reader::current, signer, clock);
    }

    @Singleton
    DownloadLinks links() {
        URI address = settings.publicAddress();
        return new DownloadLinks(
                address == null
                        ? URI.create(settings.tls().scheme() + "://" + settings.host() + ":" + settings.port())
                        : address,
                dependencies.links());
    }
}
