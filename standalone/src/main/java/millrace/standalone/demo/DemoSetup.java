package millrace.standalone.demo;

import java.io.Console;
import java.io.IOException;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;
import millrace.standalone.folder.DataFolder;
import millrace.standalone.folder.StandaloneSettings;

/** Creates the demo warehouse and the demo account where they are missing. */
public final class DemoSetup {
    private static final int STEPS = 1000;
    private static final int UPDATE_MILLIS = 250;

    private DemoSetup() {}

    /** Returns the account; empty where the operator has accounts of their own. */
    public static Optional<DemoAccount> prepare(StandaloneSettings settings, DataFolder data)
            throws IOException, InterruptedException {
        LocalDate yesterday = LocalDate.now(ZoneOffset.UTC).minusDays(1);
        LocalDate lastDay = settings.demoLastDay() == null ? yesterday : settings.demoLastDay();
        var demo = new DemoData(settings.demoSeed(), lastDay);
        var warehouse = new DemoWarehouse(data.warehouse(), demo);
        if (!warehouse.isFilled()) {
            generate(warehouse);
        }
        return DemoAccount.open(data, DemoNames.countries(), demo.firstDay(), demo.lastDay());
    }

    /**
     * Shows a progress bar in a terminal, and elsewhere, for example in a container's log, a line
     * now and then.
     */
    @SuppressWarnings("SystemConsoleNull") // where there is no console provider it still is null
    private static void generate(DemoWarehouse warehouse) throws IOException, InterruptedException {
        Console console = System.console();
        if (console != null && console.isTerminal()) {
            withBar(warehouse);
        } else {
            withLines(warehouse);
        }
    }

    private static void withBar(DemoWarehouse warehouse) throws IOException, InterruptedException {
        try (ProgressBar bar = new ProgressBarBuilder()
                .setTaskName("demo data")
                .setInitialMax(STEPS)
                .setStyle(ProgressBarStyle.ASCII)
                .setUpdateIntervalMillis(UPDATE_MILLIS)
                .hideEta()
                .build()) {
            warehouse.generate((fraction, dataset) -> {
                bar.stepTo(Math.round(fraction * STEPS));
                bar.setExtraMessage(dataset);
            });
        }
    }

    private static void withLines(DemoWarehouse warehouse) throws IOException, InterruptedException {
        var printed = new AtomicInteger();
        warehouse.generate((fraction, dataset) -> {
            int quarter = (int) (fraction * 4);
            if (printed.getAndSet(quarter) < quarter) {
                System.err.println("demo data: " + quarter * 25 + " %");
            }
        });
    }
}
