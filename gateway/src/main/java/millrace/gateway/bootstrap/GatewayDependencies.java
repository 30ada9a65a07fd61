package millrace.gateway.bootstrap;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.InstantSource;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import millrace.catalog.Catalog;
import millrace.catalog.CatalogException;
import millrace.files.LinkSecret;
import millrace.files.SignedLinks;
import millrace.files.store.ReportStore;
import millrace.gateway.admission.QuoteTokens;
import millrace.gateway.admission.Submissions.ReportIdSource;
import millrace.gateway.settings.GatewaySettings;
import millrace.gateway.statements.StatementSigner;
import millrace.runtime.accounts.AccountsFile;
import millrace.runtime.accounts.SecretEncryption;
import millrace.runtime.management.DiskSpaceMonitor;
import millrace.runtime.settings.SettingsException;

/**
 * The objects that a gateway gets from outside, so that tests can replace them.
 *
 * @param encryption encrypts and decrypts the webhook secrets of accounts
 * @param links makes the signer of download links for the gateway's public address
 * @param quotes makes and checks the prices that clients are promised
 * @param signer signs statements and receipts
 * @param disk watches the folders that the gateway writes to; closed with the gateway
 */
public record GatewayDependencies(
        AccountsFile accounts,
        SecretEncryption encryption,
        Catalog catalog,
        ReportStore store,
        Function<URI, SignedLinks> links,
        QuoteTokens quotes,
        StatementSigner signer,
        Clock clock,
        ReportIdSource ids,
        DiskSpaceMonitor disk) {

    /**
     * @throws SettingsException where a file or folder of the settings cannot be used; its message
     *     is one line
     */
    public static GatewayDependencies load(GatewaySettings settings, DiskSpaceMonitor disk) {
        try {
            byte[] secret = LinkSecret.load(settings.storage().linkSecret(), new SecureRandom());
            return new GatewayDependencies(
                    accounts(settings),
                    SecretEncryption.load(
                            settings.accountsKey() == null
                                    ? SecretEncryption.defaultKeyFile(settings.accounts())
                                    : settings.accountsKey()),
                    Catalog.load(settings.storage().catalog()),
                    store(settings),
                    address -> new SignedLinks(address, secret),
                    new QuoteTokens(secret, InstantSource.system()),
                    signer(settings),
                    Clock.systemUTC(),
                    UUID::randomUUID,
                    disk);
        } catch (CatalogException e) {
            throw new SettingsException(String.valueOf(e.getMessage()));
        } catch (IOException e) {
            throw new SettingsException("the link secret cannot be used: " + e.getMessage());
        }
    }

    private static StatementSigner signer(GatewaySettings settings) {
        Path file = settings.statementKey() == null
                ? settings.storage().linkSecret().resolveSibling("statement-key")
                : settings.statementKey();
        try {
            return StatementSigner.load(file);
        } catch (IOException e) {
            throw new SettingsException("gateway.statement-key cannot be used: " + e.getMessage());
        }
    }

    /** The accounts file is optional where there is an admin API. */
    private static AccountsFile accounts(GatewaySettings settings) {
        boolean none = settings.admin().keys() != null && Files.notExists(settings.accounts());
        return none ? new AccountsFile(List.of()) : AccountsFile.read(settings.accounts());
    }

    private static ReportStore store(GatewaySettings settings) {
        try {
            return settings.storage().open();
        } catch (IOException e) {
            throw new SettingsException(String.valueOf(e.getMessage()));
        }
    }
}
