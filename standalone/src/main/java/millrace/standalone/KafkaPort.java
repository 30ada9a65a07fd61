package millrace.standalone;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import millrace.control.ControlFile;
import millrace.runtime.settings.SettingsException;
import millrace.standalone.folder.DataFolder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Chooses the port of the embedded Kafka: the one of the last start where it is free, so that
 * consumers can keep the address.
 *
 * @param taken the preferred port where another process has it
 */
record KafkaPort(int number, OptionalInt taken) {
    private static final Logger LOG = LoggerFactory.getLogger(KafkaPort.class);
    private static final int USUAL = 9092;
    /**
     * Number of ports that are tried from the usual one on; operating systems use none of them for
     * outgoing connections.
     */
    private static final int TRIED = 100;

    /**
     * Chooses a port and remembers it in the data folder, unless it replaces a preferred port that
     * is taken.
     *
     * @param wanted port of the settings, 0 where they name none
     * @param any whether any free port will do at the first start, instead of the usual one
     * @param others ports of other parts of this process
     * @throws SettingsException where the wanted port is taken; its message is one line
     */
    static KafkaPort choose(DataFolder data, int wanted, boolean any, List<Integer> others) {
        if (wanted > 0) {
            return remembered(data, StartupChecks.port(StartupChecks.LOOPBACK, wanted));
        }
        OptionalInt last = read(data.kafkaPort());
        if (last.isEmpty() && any) {
            return remembered(data, StartupChecks.port(StartupChecks.LOOPBACK, 0));
        }
        int preferred = last.orElse(USUAL);
        IntPredicate free = port -> !others.contains(port) && StartupChecks.free(StartupChecks.LOOPBACK, port);
        if (free.test(preferred)) {
            return remembered(data, preferred);
        }
        int other = IntStream.range(USUAL, USUAL + TRIED)
                .filter(free)
                .findFirst()
                .orElseGet(() -> StartupChecks.port(StartupChecks.LOOPBACK, 0));
        if (last.isEmpty()) {
            remembered(data, other);
        }
        return new KafkaPort(other, OptionalInt.of(preferred));
    }

    /** The address for clients, {@code host:port}. */
    String address() {
        return StartupChecks.LOOPBACK + ":" + number;
    }

    private static KafkaPort remembered(DataFolder data, int number) {
        try {
            ControlFile.write(data.kafkaPort(), number + "\n");
            return new KafkaPort(number, OptionalInt.empty());
        } catch (IOException e) {
            throw new SettingsException("the data folder " + data.root() + " cannot be written: " + e);
        }
    }

    /** Empty where the file is missing or has no port. */
    private static OptionalInt read(Path file) {
        try {
            String text = ControlFile.read(file);
            if (text.matches("[1-9][0-9]{0,4}")) {
                return OptionalInt.of(Integer.parseInt(text));
            }
            LOG.error(
                    "the port of Kafka is chosen anew: {} has none, as after a power cut. Look whether your consumers"
                            + " have another one; standalone.kafka-port sets it",
                    file);
            return OptionalInt.empty();
        } catch (NoSuchFileException e) {
            return OptionalInt.empty();
        } catch (IOException e) {
            throw new SettingsException("the port of Kafka in " + file + " cannot be read: " + e);
        }
    }
}
