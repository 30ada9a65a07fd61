package millrace.standalone;

import java.io.IOException;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;
import millrace.standalone.demo.DemoData;
import millrace.standalone.demo.DemoNames;
import millrace.standalone.demo.DemoWarehouse;

/** Makes the demo warehouse and the demo account where they are missing. */
record DemoStart(Optional<DemoAccount> account, DemoData demo) {
    private static final int STEPS = 1000;

    static DemoStart prepare(StandaloneSettings settings, DataFolder data) throws IOException, InterruptedException {
        LocalDate yesterday = LocalDate.now(ZoneOffset.UTC).minusDays(1);
        LocalDate lastDay = settings.demoLastDay() == null ? yesterday : settings.demoLastDay();
        var demo = new DemoData(settings.demoSeed(), lastDay);
        var warehouse = new DemoWarehouse(data.warehouse(), demo);
        if (!warehouse.isFilled()) {
            generate(warehouse);
        }
        Optional<DemoAccount> account = DemoAccount.open(data, DemoNames.countries(), demo.firstDay(), demo.lastDay());
        return new DemoStart(account, demo);
    }

    private static void generate(DemoWarehouse warehouse) throws IOException, InterruptedException {
        try (ProgressBar bar = new ProgressBarBuilder()
                .setTaskName("demo data")
                .setInitialMax(STEPS)
                .setStyle(ProgressBarStyle.ASCII)
                .setUpdateIntervalMillis((int) TimeUnit.SECONDS.toMillis(1) / 4)
                .hideEta()
                .build()) {
            warehouse.generate((fraction, dataset) -> {
                bar.stepTo(Math.round(fraction * STEPS));
                bar.setExtraMessage(dataset);
            });
        }
    }
}
