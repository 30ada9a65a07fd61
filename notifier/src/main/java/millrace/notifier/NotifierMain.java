package millrace.notifier;

import java.nio.file.Path;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import millrace.contracts.Topics;
import millrace.runtime.Account;
import millrace.runtime.AccountsFile;
import millrace.runtime.KafkaSettings;
import millrace.runtime.ServiceMain;
import millrace.runtime.Setting;
import millrace.runtime.TopicCreation;

/** The notifier as a process of its own. */
public final class NotifierMain {
    private static final String USAGE = """
            Millrace notifier: delivers webhooks.

            Usage: notifier [--config file] [--accounts file] [--some.setting=value …]
            Exit codes: 0 stopped as asked, 1 fatal error, 2 wrong settings.
            """;

    /** Who may have webhooks. */
    record Accounts(
            @Setting(value = "accounts.yaml", doc = "the accounts file, for the webhook secrets")
            Path file) {}

    private NotifierMain() {}

    public static void main(String[] arguments) {
        SequencedMap<String, Class<?>> sections = new LinkedHashMap<>();
        sections.put("notifier", NotifierSettings.class);
        sections.put("accounts", Accounts.class);
        ServiceMain.run(USAGE, sections, Map.of("accounts", "accounts.file"), arguments, (settings, onFatal) -> {
            NotifierSettings notifier = settings.section("notifier", NotifierSettings.class);
            AccountsFile accounts = AccountsFile.read(
                    settings.section("accounts", Accounts.class).file());
            KafkaSettings kafka = settings.kafka();
            TopicCreation.ensure(kafka, Topics.ALL);
            return Notifier.start(
                    notifier,
                    kafka,
                    account -> accounts.account(account)
                            .map(Account::webhookSecrets)
                            .orElse(List.of()),
                    InstantSource.system(),
                    onFatal);
        });
    }
}
