package millrace.e2e.data;

import millrace.standalone.demo.DemoData;
import millrace.standalone.demo.DemoWarehouse;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.stream.Stream;

/** Data folders with the demo warehouse, which is generated once and linked into each. */
public final class DemoDataFolder {
    /** A fixed date, so that tests know the periods: the newest whole month is 2026-10. */
    public static final DemoData DATA =
            new DemoData(20_261_101, LocalDate.of(2026, 11, 7), Integer.getInteger("demo.sites", 64));

    /** The warehouse, which the test of the demo warehouse generates, or else this class. */
    private static final Path MADE = Path.of("..", "standalone", "target", "demo-warehouse");

    private static final Path WAREHOUSE =
            new DemoWarehouse(MADE, DATA).isFilled() ? MADE : Path.of("target", "demo-warehouse");

    private DemoDataFolder() {}

    /** Prepares the folder for a first start with {@link #arguments}. */
    public static synchronized Path create(Path data) throws IOException, InterruptedException {
        var warehouse = new DemoWarehouse(WAREHOUSE, DATA);
        if (!warehouse.isFilled()) {
            warehouse.generate((fraction, dataset) -> {});
        }
        try (Stream<Path> files = Files.walk(WAREHOUSE)) {
            files.forEach(f -> link(f, data.resolve("warehouse").resolve(WAREHOUSE.relativize(f))));
        }
        return data;
    }

    /** The arguments of each start. */
    public static String[] arguments(String... more) {
        return Stream.concat(
                        Stream.of(
                                "--standalone.demo-seed=" + DATA.seed(),
                                "--standalone.demo-last-day=" + DATA.lastDay()),
                        Stream.of(more))
                .toArray(String[]::new);
    }

    /** Links instead of copies, since the files never change. */
    private static void link(Path from, Path to) {
        try {
            if (Files.isDirectory(from)) {
                Files.createDirectories(to);
            } else {
                Files.createLink(to, from);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
