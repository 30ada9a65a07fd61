package millrace.gateway;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import millrace.catalog.Catalog;
import millrace.catalog.CatalogException;
import millrace.files.LinkSecret;
import millrace.files.ReportStore;
import millrace.files.ReportStores;
import millrace.files.SignedLinks;
import millrace.gateway.commands.Submissions.ReportIdSource;
import millrace.runtime.AccountsFile;
import millrace.runtime.DiskSpace;
import millrace.runtime.SettingsException;
import millrace.runtime.accounts.SecretBox;

/**
 * What a gateway works with.
 *
 * @param box opens and seals the webhook secrets of accounts
 * @param disk the folders that it writes to; closed with the gateway
 * @param links signs download links to an address, with the secret that all signers share
 */
public record GatewayParts(
        AccountsFile accounts,
        SecretBox box,
        Catalog catalog,
        ReportStore store,
        Function<URI, SignedLinks> links,
        Clock clock,
        ReportIdSource ids,
        DiskSpace disk) {

    /** @throws SettingsException in one line, where a file or folder of the settings cannot be used */
    public static GatewayParts load(GatewaySettings settings, DiskSpace disk) {
        try {
            byte[] secret = LinkSecret.load(settings.linkSecret(), new SecureRandom());
            return new GatewayParts(
                    accounts(settings),
                    SecretBox.load(
                            settings.accountsKey() == null
                                    ? SecretBox.beside(settings.accounts())
                                    : settings.accountsKey()),
                    Catalog.load(settings.catalog()),
                    store(settings),
                    address -> new SignedLinks(address, secret),
                    Clock.systemUTC(),
                    UUID::randomUUID,
                    disk);
        } catch (CatalogException e) {
            throw new SettingsException(String.valueOf(e.getMessage()));
        } catch (IOException e) {
            throw new SettingsException(e.toString());
        }
    }

    /** Who has the admin API can do without the file. */
    private static AccountsFile accounts(GatewaySettings settings) {
        boolean none = settings.admin().keys() != null && Files.notExists(settings.accounts());
        return none ? new AccountsFile(List.of()) : AccountsFile.read(settings.accounts());
    }

    private static ReportStore store(GatewaySettings settings) {
        try {
            return ReportStores.open(settings.reports(), settings.fsync(), settings.s3());
        } catch (IOException e) {
            throw new SettingsException(String.valueOf(e.getMessage()));
        }
    }
}
