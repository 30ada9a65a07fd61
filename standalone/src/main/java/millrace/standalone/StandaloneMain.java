package millrace.standalone;

import java.io.PrintStream;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import millrace.gateway.settings.GatewaySettings;
import millrace.notifier.NotifierSettings;
import millrace.processor.bootstrap.ProcessorSettings;
import millrace.runtime.service.ServiceMain;
import millrace.runtime.settings.Settings;
import millrace.runtime.telemetry.ServiceLogs;
import millrace.standalone.demo.DemoAccount;
import millrace.standalone.demo.DemoSetup;
import millrace.standalone.folder.DataFolder;
import millrace.standalone.folder.StandaloneSettings;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs {@code ./millrace}. */
public final class StandaloneMain {
    private static final String USAGE = """
            Millrace on one machine: gateway, processor and notifier on an embedded Kafka, with demo data.

            usage: ./millrace [--port 8080] [--data data] [--config file.yaml] [--fsync] [--some.setting value]…
                   ./millrace import <dataset> <file>…    load CSV or Parquet files as the data of a dataset; see import --help
                   ./millrace versions                    show the data that are in the warehouse; see versions --help
                   ./millrace admin <command>…            accounts, keys and credits of a running service; see admin --help
                   ./millrace repartition                 another number of partitions, while nothing runs; see repartition --help
                   ./millrace help                        the commands of clients: reports, credits, webhooks, events

              --port    port of the REST service, 0 for any free port
              --data    the folder with all state; the next start goes on from there
              --config  a YAML file with settings
              --fsync   survive power loss too, at the price of speed
              --version which build this is
              --help    this, and --help <word> what settings there are about something
            """;
    static final Map<String, String> SHORTCUTS =
            Map.of("port", "gateway.port", "data", "standalone.data", "fsync", "standalone.fsync");

    private static final Logger LOG = LoggerFactory.getLogger(StandaloneMain.class);
    private static final int SECONDS_BETWEEN_WARNINGS = 30;

    private StandaloneMain() {}

    public static void main(String[] arguments) {
        ServiceMain.run(USAGE, sections(), SHORTCUTS, arguments, StandaloneMain::start);
    }

    /** As {@link #main}, but returns the exit code instead of ending the process. */
    static int serve(String[] arguments, PrintStream out, PrintStream err) {
        return ServiceMain.serve(USAGE, sections(), SHORTCUTS, arguments, StandaloneMain::start, out, err, () -> {});
    }

    static SequencedMap<String, Class<?>> sections() {
        var sections = new LinkedHashMap<String, Class<?>>();
        sections.put(StandaloneSettings.PREFIX, StandaloneSettings.class);
        sections.put("gateway", GatewaySettings.class);
        sections.put("processor", ProcessorSettings.class);
        sections.put("notifier", NotifierSettings.class);
        return sections;
    }

    private static AutoCloseable start(Settings settings, Consumer<Throwable> onFatal) throws Exception {
        var own = settings.section(StandaloneSettings.PREFIX, StandaloneSettings.class);
        var running = new StartedServices();
        try {
            DataFolder data = running.add(DataFolder.open(own.data()));
            StartupChecks.check(Standalone.onOneMachine(settings, data), data);
            Optional<DemoAccount> demo = DemoSetup.prepare(own, data);
            AdminAccess.prepare(data);
            var failed = new AtomicBoolean();
            Standalone standalone = running.add(Standalone.start(settings, data, error -> {
                failed.set(true);
                onFatal.accept(error);
            }));
            AdminAccess.announce(data, standalone.adminAddress());
            if (awaitReady(standalone, failed)) {
                if (settings.section(ServiceLogs.Declared.PREFIX, ServiceLogs.Declared.class)
                        .isJson()) {
                    LOG.info("{}", WelcomeMessage.line(standalone, data));
                } else {
                    System.out.println(WelcomeMessage.text(standalone, data, demo));
                }
                running.add(ClassArchive.write());
            }
            return running;
        } catch (Exception e) {
            running.close();
            throw e;
        }
    }

    /** Returns false where a part has failed for good. */
    private static boolean awaitReady(Standalone standalone, AtomicBoolean failed) throws InterruptedException {
        for (int seconds = 1; !standalone.awaitReady(Duration.ofSeconds(1)); seconds++) {
            if (failed.get()) {
                return false;
            }
            if (seconds % SECONDS_BETWEEN_WARNINGS == 0) {
                LOG.warn(
                        "not ready waitedSeconds={} missing={}",
                        seconds,
                        String.join(", ", standalone.failingChecks()));
            }
        }
        return true;
    }
}
