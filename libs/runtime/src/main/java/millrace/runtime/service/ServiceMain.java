package millrace.runtime.service;

import java.io.PrintStream;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SequencedMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import millrace.runtime.cli.CliRunner;
import millrace.runtime.settings.DiskSettings;
import millrace.runtime.settings.KafkaSettings;
import millrace.runtime.settings.ManagementSettings;
import millrace.runtime.settings.Settings;
import millrace.runtime.settings.SettingsException;
import millrace.runtime.settings.TracingSettings;
import millrace.runtime.telemetry.ServiceLogs;
import millrace.runtime.telemetry.Spans;

/**
 * Runs a service as a process: reads the settings, starts the service, waits for the signal to stop
 * or for a fatal error, and closes the service. Exit codes: 0 stopped by a signal, 1 fatal error, 2
 * wrong settings.
 */
public final class ServiceMain {
    /** Starts a service. */
    @FunctionalInterface
    public interface Start {
        /**
         * @param onFatal the service calls it where it cannot go on; the process then ends
         * @throws SettingsException where the settings cannot be used
         */
        AutoCloseable start(Settings settings, Consumer<Throwable> onFatal) throws Exception;
    }

    private static final int FAILED = 1;
    private static final int WRONG_SETTINGS = 2;
    /** Longer than services need to close. A failed service may never finish closing. */
    private static final Duration CLOSE = Duration.ofMinutes(1);

    private static final String MORE = """
            These are the settings that people set first. --help <word> finds others, --help-all lists all.
            """;

    private ServiceMain() {}

    /**
     * Does not return before the process ends.
     *
     * @param usage what {@code --help} prints above the settings
     * @param sections settings records by prefix
     * @param shortcuts see {@link ServiceArguments#parse}
     */
    public static void run(
            String usage,
            SequencedMap<String, Class<?>> sections,
            Map<String, String> shortcuts,
            String[] arguments,
            Start start) {
        run(usage, sections, shortcuts, arguments, start, CLOSE);
    }

    /** @param close how long the service may take to close after a fatal error */
    static void run(
            String usage,
            SequencedMap<String, Class<?>> sections,
            Map<String, String> shortcuts,
            String[] arguments,
            Start start,
            Duration close) {
        Runnable failed = () -> Thread.ofPlatform().name("halt").daemon().start(() -> haltAfter(close));
        halt(serve(usage, sections, shortcuts, arguments, start, System.out, System.err, failed));
    }

    /**
     * As {@link #run}, but returns instead of ending the process.
     *
     * @param failed called after a fatal error, before the service is closed
     * @return the exit code
     */
    public static int serve(
            String usage,
            SequencedMap<String, Class<?>> declared,
            Map<String, String> shortcuts,
            String[] arguments,
            Start start,
            PrintStream out,
            PrintStream err,
            Runnable failed) {
        Map<String, Class<?>> sections = withCommon(declared);
        var stopped = new CountDownLatch(1);
        var closed = new CountDownLatch(1);
        var code = new AtomicInteger();
        try {
            ServiceArguments line = ServiceArguments.parse(arguments, shortcuts);
            if (line.help() != null && !line.help().isEmpty()) {
                String found = Settings.find(sections, line.help());
                if (found.isEmpty()) {
                    throw new SettingsException("no setting has " + line.help() + " in its name or description");
                }
                out.print(found);
                return printed(out, err);
            }
            if (line.help() != null || line.helpAll()) {
                out.print(usage + System.lineSeparator() + "Settings [default]:" + System.lineSeparator()
                        + Settings.help(sections, line.helpAll()));
                if (!line.helpAll()) {
                    out.print(System.lineSeparator() + MORE);
                }
                return printed(out, err);
            }
            if (line.version()) {
                out.println(version());
                return printed(out, err);
            }
            Settings settings = Settings.load(sections, line.config(), System.getenv(), line.settings());
            ServiceLogs.configure(settings.section(ServiceLogs.Declared.PREFIX, ServiceLogs.Declared.class));
            Consumer<Throwable> onFatal = e -> {
                boolean refused = e instanceof SettingsException;
                code.set(refused ? WRONG_SETTINGS : FAILED);
                err.println(refused ? e.getMessage() : "fatal: " + e);
                stopped.countDown();
                failed.run();
            };
            var tracing = settings.section(TracingSettings.PREFIX, TracingSettings.class);
            try (AutoCloseable _ = Spans.export(tracing, settings.kafka().instanceId());
                    AutoCloseable _ = start.start(settings, onFatal)) {
                Runtime.getRuntime().addShutdownHook(new Thread(() -> {
                    stopped.countDown();
                    await(closed);
                    // A stop by a signal ends with 0, and not with the code of the signal.
                    halt(code.get());
                }));
                UnpackedLibraries.remove();
                await(stopped);
            }
        } catch (SettingsException e) {
            err.println(e.getMessage());
            code.set(WRONG_SETTINGS);
        } catch (Exception | LinkageError e) { // LinkageError: jars of different versions
            err.println("cannot start: " + e);
            e.printStackTrace(err);
            code.set(FAILED);
        } finally {
            closed.countDown();
        }
        return code.get();
    }

    /** {@code Millrace 1.2.3}; classes that are not in a jar have no version. */
    private static String version() {
        String version = ServiceMain.class.getPackage().getImplementationVersion();
        return "Millrace " + (version == null ? "(no version: not started from its jars)" : version);
    }

    private static int printed(PrintStream out, PrintStream err) {
        if (!out.checkError()) {
            return 0;
        }
        err.println(CliRunner.UNWRITTEN);
        return FAILED;
    }

    private static void haltAfter(Duration time) {
        try {
            Thread.sleep(time);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        halt(FAILED);
    }

    /**
     * Ends the process although threads of libraries may still run. One thread at a time, so that a
     * second call does not cut off what the JVM writes at its end, for example an AOT cache.
     */
    private static synchronized void halt(int code) {
        UnpackedLibraries.remove(); // libraries that were loaded later
        Runtime.getRuntime().halt(code);
    }

    /** The sections of a service and those of every process. */
    public static Map<String, Class<?>> withCommon(SequencedMap<String, Class<?>> sections) {
        Map<String, Class<?>> all = new LinkedHashMap<>(sections);
        all.put(KafkaSettings.PREFIX, KafkaSettings.class);
        all.put(ServiceLogs.Declared.PREFIX, ServiceLogs.Declared.class);
        all.put(ManagementSettings.PREFIX, ManagementSettings.class);
        all.put(TracingSettings.PREFIX, TracingSettings.class);
        all.put(DiskSettings.PREFIX, DiskSettings.class);
        return all;
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
