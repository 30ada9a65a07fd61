package millrace.runtime.service;

import java.io.PrintStream;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SequencedMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import millrace.runtime.settings.DiskSettings;
import millrace.runtime.settings.KafkaSettings;
import millrace.runtime.settings.ManagementSettings;
import millrace.runtime.settings.Settings;
import millrace.runtime.settings.SettingsException;
import millrace.runtime.settings.TracingSettings;
import millrace.runtime.telemetry.ServiceLogs;
import millrace.runtime.telemetry.Spans;

/**
 * The life of a process: reads its settings, starts the service, waits for the signal to stop or for a fatal error, closes.
 * Exit codes: 0 stopped as asked, 1 fatal error, 2 wrong settings.
 */
public final class ServiceMain {
    /** Starts a service. */
    @FunctionalInterface
    public interface Start {
        /**
         * @param onFatal to be called where the service cannot go on; the process then ends
         * @throws SettingsException where the settings cannot be used
         */
        AutoCloseable start(Settings settings, Consumer<Throwable> onFatal) throws Exception;
    }

    private static final int FAILED = 1;
    private static final int WRONG_SETTINGS = 2;
    /** Longer than services take. One that cannot go on may not be able to close either. */
    private static final Duration CLOSE = Duration.ofMinutes(1);

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
     * As {@link #run}, but returns where that ends the process.
     *
     * @return the exit code
     */
    public static int serve(
            String usage,
            SequencedMap<String, Class<?>> declared,
            Map<String, String> shortcuts,
            String[] arguments,
            Start start,
            PrintStream out,
            PrintStream err) {
        return serve(usage, declared, shortcuts, arguments, start, out, err, () -> {});
    }

    private static int serve(
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
            if (line.help()) {
                out.print(usage + System.lineSeparator() + "Settings [default]:" + System.lineSeparator()
                        + Settings.help(sections));
                out.flush();
                return 0;
            }
            if (line.version()) {
                out.println(BuildVersion.text());
                return 0;
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
                    // Stopped as asked is 0, not the code of the signal.
                    halt(code.get());
                }));
                UnpackedLibraries.remove();
                await(stopped);
            }
        } catch (SettingsException e) {
            err.println(e.getMessage());
            code.set(WRONG_SETTINGS);
        } catch (Exception | LinkageError e) { // the latter where jars do not fit together
            err.println("cannot start: " + e);
            e.printStackTrace(err);
            code.set(FAILED);
        } finally {
            closed.countDown();
        }
        return code.get();
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
     * Threads of libraries must not keep a process alive that has ended. One thread at a time: what the JVM writes at its end, a
     * cache of classes for example, must not be cut off by a second one.
     */
    private static synchronized void halt(int code) {
        UnpackedLibraries.remove(); // those that were loaded later
        Runtime.getRuntime().halt(code);
    }

    /** The sections of a service and those that every process has. */
    public static Map<String, Class<?>> withCommon(SequencedMap<String, Class<?>> sections) {
        Map<String, Class<?>> all = new LinkedHashMap<>(sections);
        all.put(KafkaSettings.PREFIX, KafkaSettings.Declared.class);
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
