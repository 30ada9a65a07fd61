package millrace.gateway.admin;

import java.time.InstantSource;
import millrace.catalog.Catalog;
import millrace.gateway.accounts.AccountWriter;
import millrace.gateway.activity.store.ActivityStore;
import millrace.gateway.admission.KeyUses;
import millrace.gateway.commands.CommandLog;
import millrace.gateway.datasets.PublishedDatasets;
import millrace.gateway.datasets.VersionSwitches;
import millrace.gateway.health.ProcessStates;
import millrace.gateway.readmodel.ReadModel;
import millrace.runtime.accounts.Accounts;
import millrace.runtime.accounts.AccountsFile;
import millrace.runtime.accounts.SecretEncryption;
import millrace.runtime.management.Health;
import millrace.runtime.settings.KafkaSettings;

/** What the admin API works with, of the gateway that it belongs to. */
public record AdminDependencies(
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
        VersionSwitches switches,
        ActivityStore activity,
        ProcessStates processes,
        Health health) {}
