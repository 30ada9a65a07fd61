package millrace.standalone;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import millrace.runtime.settings.SettingsException;

/**
 * The port of the embedded Kafka: that of the last start where it is free, so that the address that consumers were given stays
 * right.
 *
 * @param taken the port that it would have, were it not taken by somebody else
 */
record KafkaPort(int number, OptionalInt taken) {
    private static final int USUAL = 9092;
    /** Ports from the usual one on that are tried: none of them is one that an operating system takes for outgoing connections. */
    private static final int TRIED = 100;

    /**
     * Remembers in the data folder what it chooses, but not a port that stands in for one that is taken.
     *
     * @param wanted by the settings; 0 where nothing is said
     * @param any whether one that is free will do at the first start, in place of the usual one
     * @param others ports that other parts of this process will have
     * @throws SettingsException in one line, where the wanted port is taken
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

    /** {@code host:port}, for clients. */
    String address() {
        return StartupChecks.LOOPBACK + ":" + number;
    }

    private static KafkaPort remembered(DataFolder data, int number) {
        try {
            Files.writeString(data.kafkaPort(), number + "\n");
            return new KafkaPort(number, OptionalInt.empty());
        } catch (IOException e) {
            throw new SettingsException("the data folder " + data.root() + " cannot be written: " + e);
        }
    }

    /** Empty where there is no such file, or something else in it. */
    private static OptionalInt read(Path file) {
        try {
            String text = Files.readString(file).strip();
            return text.matches("[1-9][0-9]{0,4}") ? OptionalInt.of(Integer.parseInt(text)) : OptionalInt.empty();
        } catch (NoSuchFileException e) {
            return OptionalInt.empty();
        } catch (IOException e) {
            throw new SettingsException("the port of Kafka in " + file + " cannot be read: " + e);
        }
    }
}
