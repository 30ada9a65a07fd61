package millrace.gateway.admin;

import java.time.InstantSource;
import millrace.gateway.accounts.AccountWriter;
import millrace.gateway.readmodel.ReadModel;
import millrace.runtime.accounts.Accounts;
import millrace.runtime.accounts.SecretEncryption;
import millrace.runtime.settings.KafkaSettings;

/** What the admin API works with, of the gateway that it belongs to. */
public record AdminDependencies(
        Accounts accounts,
        AccountWriter writer,
        ReadModel model,
        SecretEncryption box,
        InstantSource clock,
        KafkaSettings kafka) {}
