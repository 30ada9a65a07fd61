package millrace.standalone.demo;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import millrace.contracts.Hashes;
import millrace.contracts.Json;
import millrace.contracts.accounts.AccountRecord;
import millrace.control.ControlFile;
import millrace.gateway.accounts.NewSecrets;
import millrace.runtime.accounts.AccountsFile;
import millrace.runtime.accounts.DeclaredAccount;
import millrace.runtime.settings.SettingsException;
import millrace.standalone.folder.DataFolder;

/**
 * The demo account. Its keys are created at the first start. The accounts file has only their
 * hashes, so a file of their own keeps the keys to show them at each start.
 *
 * @param lastDay last day of the accessible history
 */
public record DemoAccount(String batchKey, String restKey, String webhookSecret, LocalDate lastDay) {
    private static final String ID = "demo";
    private static final long CREDITS = 100_000_000;
    private static final List<String> CATEGORIES =
            List.of("web_desktop_data", "web_mobile_data", "app_data", "app_engagement_data");
    private static final YAMLMapper YAML = Json.strict(YAMLMapper.builder()).build();

    /**
     * Reads the demo account, or creates it where there are no accounts yet.
     *
     * @param countries that it may request
     * @param first first day of the accessible history
     * @param last last day of it
     * @return empty where the operator has an accounts file of their own
     */
    public static Optional<DemoAccount> open(DataFolder data, List<String> countries, LocalDate first, LocalDate last)
            throws IOException {
        boolean known = Files.exists(data.demoKeys());
        if (!known && Files.exists(data.accounts())) {
            return Optional.empty();
        }
        DemoAccount demo = known
                ? read(data.demoKeys())
                : new DemoAccount(NewSecrets.key(), NewSecrets.key(), NewSecrets.webhookSecret(), last);
        if (!known) {
            ControlFile.writeSecret(data.demoKeys(), YAML.writeValueAsString(demo));
        }
        if (!Files.exists(data.accounts())) {
            ControlFile.writeSecret(data.accounts(), new AccountsFile(List.of(demo.account(countries, first))).text());
        }
        return Optional.of(demo);
    }

    private static DemoAccount read(Path keys) throws IOException {
        try {
            return YAML.readValue(ControlFile.read(keys), DemoAccount.class);
        } catch (JsonProcessingException e) {
            throw new SettingsException("the demo keys " + keys + " cannot be read: " + e.getOriginalMessage()
                    + "; restore the file from a copy, or delete it: the account stays, and its keys are not shown any"
                    + " more (millrace admin --help makes others)");
        }
    }

    private DeclaredAccount account(List<String> countries, LocalDate first) {
        var entitlement = new DeclaredAccount.Entitlement(countries, first, lastDay);
        Map<String, DeclaredAccount.Entitlement> entitlements = new TreeMap<>();
        CATEGORIES.forEach(category -> entitlements.put(category, entitlement));
        List<DeclaredAccount.Key> keys =
                List.of(key(AccountRecord.KeyKind.BATCH, batchKey), key(AccountRecord.KeyKind.REST, restKey));
        return new DeclaredAccount(ID, "Demo", keys, CREDITS, entitlements, null, List.of(webhookSecret));
    }

    private static DeclaredAccount.Key key(AccountRecord.KeyKind kind, String key) {
        return new DeclaredAccount.Key(kind, Hashes.sha256(key), null, null);
    }
}
