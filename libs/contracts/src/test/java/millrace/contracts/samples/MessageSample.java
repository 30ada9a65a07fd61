package millrace.contracts.samples;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import millrace.contracts.Json;
import millrace.contracts.topics.Topic;

/**
 * One message as it stands in a topic: the value, and the frozen file that holds its JSON.
 *
 * @param name of the file, without {@code .json}
 */
public record MessageSample<V>(Topic<V> topic, String name, V value) {
    private static final Path FOLDER =
            Path.of(System.getProperty("root", "../.."), "libs/contracts/src/test/resources/samples");

    static Path folder(Topic<?> topic) {
        return FOLDER.resolve(topic.name());
    }

    Path file() {
        return folder(topic).resolve(name + ".json");
    }

    public byte[] bytes() {
        try {
            return Files.readAllBytes(file());
        } catch (IOException e) {
            throw new UncheckedIOException(file() + " cannot be read; new samples are written by -Dsamples=write", e);
        }
    }

    /** What the file should hold. */
    String written() {
        var indenter = new DefaultIndenter("  ", "\n");
        var printer = new DefaultPrettyPrinter().withObjectIndenter(indenter).withArrayIndenter(indenter);
        try {
            return Json.MAPPER.writer(printer).writeValueAsString(value) + "\n";
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public String toString() {
        return topic.name() + "/" + name;
    }
}
