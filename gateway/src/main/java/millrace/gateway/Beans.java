package millrace.gateway;

import io.micronaut.context.annotation.Bean;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Primary;
import jakarta.inject.Singleton;
import java.net.URI;
import java.time.InstantSource;
import millrace.catalog.Catalog;
import millrace.contracts.ConsumerGroups;
import millrace.files.ReportStore;
import millrace.gateway.accounts.AccountWriter;
import millrace.gateway.accounts.FileAccounts;
import millrace.gateway.accounts.MonthlyGrants;
import millrace.gateway.accounts.Resealing;
import millrace.gateway.admin.AccountHistory;
import millrace.gateway.admin.AdminAccounts;
import millrace.gateway.admission.ApiKeys;
import millrace.gateway.admission.Pace;
import millrace.gateway.admission.RateLimit;
import millrace.gateway.commands.LogEnds;
import millrace.gateway.commands.Submissions.ReportIdSource;
import millrace.gateway.model.FoldedAhead;
import millrace.gateway.model.ModelReader;
import millrace.gateway.model.ReadModel;
import millrace.gateway.model.RecordLookup;
import millrace.gateway.model.RequestLookup;
import millrace.gateway.openapi.ApiDocument;
import millrace.gateway.openapi.Examples;
import millrace.gateway.webhooks.DeliveryIndex;
import millrace.gateway.webhooks.DeliveryReader;
import millrace.gateway.webhooks.EndpointStates;
import millrace.runtime.DiskSpace;
import millrace.runtime.KafkaProbe;
import millrace.runtime.KafkaSettings;
import millrace.runtime.Positions;
import millrace.runtime.accounts.Accounts;
import millrace.runtime.accounts.AccountsReader;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The gateway's objects that know nothing of the framework. */
@Factory
final class Beans {
    private static final Logger LOG = LoggerFactory.getLogger(Beans.class);

    private final GatewayParts parts;
    private final GatewaySettings settings;
    private final KafkaSettings kafka;

    Beans(GatewayParts parts, GatewaySettings settings, KafkaSettings kafka) {
        this.parts = parts;
        this.settings = settings;
        this.kafka = kafka;
    }

    @Singleton
    Accounts accounts(ApiKeys keys) {
        return new Accounts(parts.box(), parts.clock(), keys::put);
    }

    @Singleton
    @Bean(preDestroy = "close")
    AccountsReader accountsReader(Accounts accounts, Positions positions) {
        return new AccountsReader(kafka, accounts, positions, e -> LOG.error("{}", e.getMessage()));
    }

    @Singleton
    AccountWriter accountWriter(
            Accounts accounts, AccountsReader reader, Positions positions, LogEnds ends, ReadModel model) {
        var surroundings = new AccountWriter.Surroundings(kafka, ends, parts.clock(), settings.acknowledgeWithin());
        // What was acknowledged is in the read model at once; only reports need the place in the log.
        return new AccountWriter(
                accounts, reader, positions, surroundings, (id, command) -> model.command(id, command, 0, 0));
    }

    @Singleton
    FileAccounts fileAccounts(Accounts accounts, AccountWriter writer, ReadModel model) {
        var resealing = new Resealing(accounts, writer, parts.box());
        return new FileAccounts(parts.accounts(), parts.box(), writer, model, parts.clock(), resealing);
    }

    @Singleton
    MonthlyGrants monthlyGrants(Accounts accounts, AccountWriter writer) {
        return new MonthlyGrants(accounts, writer, parts.clock());
    }

    @Singleton
    AdminAccounts adminAccounts(Accounts accounts, AccountWriter writer, ReadModel model) {
        var history = new AccountHistory(kafka, model);
        return new AdminAccounts(accounts, writer, model, parts.box(), parts.clock(), history);
    }

    @Singleton
    Catalog catalog() {
        return parts.catalog();
    }

    @Singleton
    ReportStore store() {
        return parts.store();
    }

    @Singleton
    @Primary // the framework brings one, too
    InstantSource clock() {
        return parts.clock();
    }

    @Singleton
    ReportIdSource ids() {
        return parts.ids();
    }

    @Singleton
    @Bean(preDestroy = "close")
    DiskSpace disk() {
        return parts.disk();
    }

    @Singleton
    ApiKeys keys() {
        return new ApiKeys();
    }

    @Singleton
    RateLimit rates() {
        return new RateLimit(System::nanoTime);
    }

    @Singleton
    Pace pace() {
        return new Pace();
    }

    @Singleton
    ReadModel model() {
        return new ReadModel();
    }

    @Singleton
    FoldedAhead foldedAhead() {
        return new FoldedAhead();
    }

    @Singleton
    @Bean(preDestroy = "close")
    KafkaProbe probe() {
        return KafkaProbe.start(kafka);
    }

    @Singleton
    Positions positions() {
        return new Positions();
    }

    @Singleton
    @Bean(preDestroy = "close")
    ModelReader reader(ReadModel model, FoldedAhead ahead, Positions positions) {
        return new ModelReader(kafka, ConsumerGroups.PROCESSOR, model, ahead, positions);
    }

    @Singleton
    Readers readers(ModelReader model, AccountsReader accounts) {
        return new Readers(model, accounts);
    }

    @Singleton
    @Bean(preDestroy = "close")
    RequestLookup lookup() {
        return new RequestLookup(kafka);
    }

    @Singleton
    DeliveryIndex deliveries() {
        return new DeliveryIndex(settings.mostDeliveries());
    }

    @Singleton
    EndpointStates endpoints() {
        return new EndpointStates();
    }

    @Singleton
    @Bean(preDestroy = "close")
    DeliveryReader deliveryReader(DeliveryIndex index, EndpointStates states, Positions positions) {
        var kept = new DeliveryReader.Kept(settings.deliveriesKept(), settings.mostDeliveries());
        return new DeliveryReader(kafka, index, states, kept, positions, parts.clock());
    }

    @Singleton
    @Bean(preDestroy = "close")
    RecordLookup deliveryRecords() {
        return new RecordLookup(kafka, "webhook-records");
    }

    @Singleton
    @Bean(preDestroy = "close")
    Examples examples(Positions positions) {
        return new Examples(kafka, positions);
    }

    @Singleton
    ApiDocument document(Catalog catalog, Examples examples) {
        return new ApiDocument(catalog, examples, parts.clock());
    }

    @Singleton
    DownloadLinks links() {
        URI address = settings.publicAddress();
        return new DownloadLinks(
                address == null
                        ? URI.create(settings.tls().scheme() + "://" + settings.host() + ":" + settings.port())
                        : address,
                parts.links());
    }
}
