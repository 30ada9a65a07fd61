package millrace.standalone;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import millrace.broker.EmbeddedKafka;
import millrace.processor.repartition.RepartitionCommand;
import millrace.runtime.cli.CliRunner;
import millrace.runtime.settings.SettingsException;
import millrace.standalone.folder.DataFolder;
import picocli.CommandLine.ExitCode;

/**
 * {@code ./millrace repartition}: {@code millrace admin repartition} on the Kafka of a data folder, which it starts for
 * that time.
 */
public final class RepartitionMain {
    private static final String DATA = "--data";
    private static final int FAILED = 3;

    private RepartitionMain() {}

    public static void main(String[] arguments) {
        System.exit(run(arguments, CliRunner.standardOutput(), CliRunner.errorStream()));
    }

    /** @return the exit code */
    static int run(String[] given, PrintStream out, PrintStream err) {
        List<String> arguments = new ArrayList<>(List.of(given));
        if (arguments.isEmpty() || arguments.contains("--help") || arguments.contains("-h")) {
            return RepartitionCommand.run(new String[] {"--help"}, Map.of(), out, err);
        }
        Path folder = Path.of("data");
        int at = arguments.indexOf(DATA);
        if (at >= 0 && at + 1 < arguments.size()) {
            folder = Path.of(arguments.remove(at + 1));
            arguments.remove(at);
        }
        try (DataFolder data = DataFolder.open(folder);
                EmbeddedKafka kafka = EmbeddedKafka.start(data.kafka())) {
            arguments.addAll(List.of("--kafka", kafka.bootstrapServers()));
            return RepartitionCommand.run(arguments.toArray(String[]::new), Map.of(), out, err);
        } catch (SettingsException e) {
            err.println("millrace repartition: " + e.getMessage());
            return ExitCode.USAGE;
        } catch (IOException e) {
            err.println("millrace repartition: the Kafka of " + folder + " does not start: " + e.getMessage());
            return FAILED;
        }
    }
}
