package millrace.standalone;

import java.io.IOException;
import java.time.Duration;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import millrace.runtime.service.ServiceArguments;
import millrace.runtime.service.ServiceMain;
import millrace.runtime.settings.Settings;
import millrace.standalone.demo.DemoAccount;
import millrace.standalone.folder.DataFolder;
import millrace.standalone.folder.StandaloneSettings;

/**
 * Starts all of Millrace on an empty data folder, on free ports, and stops it. With the right
 * options the JVM of this run writes down which classes a start needs.
 */
public final class ClassArchiveMain {
    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    private ClassArchiveMain() {}

    /** @param arguments {@code --data folder}; the folder keeps what the start has written */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        Settings settings = Settings.load(
                        ServiceMain.withCommon(StandaloneMain.sections()),
                        null,
                        Map.of(),
                        ServiceArguments.parse(arguments, StandaloneMain.SHORTCUTS)
                                .settings())
                .with(Map.of("gateway.port", "0"));
        var own = settings.section(StandaloneSettings.PREFIX, StandaloneSettings.class);
        try (DataFolder data = DataFolder.open(own.data())) {
            DemoAccount.open(data, List.of("WW"), LocalDate.EPOCH, LocalDate.EPOCH);
            AdminAccess.prepare(data);
            try (Standalone standalone = Standalone.start(settings, data, e -> System.err.println("fatal: " + e))) {
                if (!standalone.awaitReady(TIMEOUT)) {
                    System.err.println("not ready: " + standalone.failingChecks());
                }
            }
        }
        System.exit(0); // threads of libraries may still run
    }
}
