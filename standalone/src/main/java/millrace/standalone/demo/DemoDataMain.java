package millrace.standalone.demo;

import java.io.IOException;
import java.util.Map;
import millrace.runtime.service.ServiceArguments;
import millrace.runtime.settings.Settings;
import millrace.runtime.settings.SettingsException;
import millrace.standalone.folder.DataFolder;
import millrace.standalone.folder.StandaloneSettings;

/**
 * Creates the demo warehouse and the demo account in a folder that services share, and prints the
 * keys.
 */
public final class DemoDataMain {
    private DemoDataMain() {}

    public static void main(String[] arguments) throws IOException, InterruptedException {
        try {
            ServiceArguments line = ServiceArguments.parse(arguments, Map.of("data", "standalone.data"));
            Settings settings = Settings.load(
                    Map.of(StandaloneSettings.PREFIX, StandaloneSettings.class),
                    line.config(),
                    Map.of(),
                    line.settings());
            var own = settings.section(StandaloneSettings.PREFIX, StandaloneSettings.class);
            try (DataFolder data = DataFolder.open(own.data())) {
                DemoSetup.prepare(own, data)
                        .ifPresent(a -> System.out.println("batch key       " + a.batchKey() + "\nrest key        "
                                + a.restKey() + "\nwebhook secret  " + a.webhookSecret()));
                if (System.out.checkError()) {
                    System.err.println(
                            "the keys could not be printed; they are in the file demo-keys.yaml of " + own.data());
                    System.exit(1);
                }
            }
        } catch (SettingsException e) {
            System.err.println(e.getMessage());
            System.exit(2);
        }
    }
}
