package millrace.gateway.admin;

import io.micronaut.context.annotation.Requires;
import jakarta.inject.Singleton;
import java.time.InstantSource;
import millrace.catalog.Catalog;
import millrace.gateway.access.KeyUses;
import millrace.gateway.accounts.AccountWriter;
import millrace.gateway.admission.CommandLog;
import millrace.gateway.api.datasets.PublishedDatasets;
import millrace.gateway.copy.activity.ActivityStore;
import millrace.gateway.copy.deliveries.DeliveryIndex;
import millrace.gateway.copy.reports.ReadModel;
import millrace.gateway.health.ProcessStates;
import millrace.runtime.accounts.Accounts;
import millrace.runtime.accounts.AccountsFile;
import millrace.runtime.accounts.SecretEncryption;
import millrace.runtime.management.Health;
import millrace.runtime.settings.KafkaSettings;

/** What the admin API works with, of the gateway that it belongs to. */
@Singleton
@Requires(missingBeans = AdminKeys.class) // the public API makes it
record AdminDependencies(
        Accounts accounts,
        AccountWriter writer,
        KeyUses uses,
        ReadModel model,
        CommandLog commands,
        AccountsFile file,
        SecretEncryption box,
        InstantSource clock,
        KafkaSettings kafka,
        Catalog catalog,
        PublishedDatasets datasets,
        ActivityStore activity,
        DeliveryIndex deliveries,
        ProcessStates processes,
        Health health) {}
