package millrace.runtime.settings;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import java.util.stream.Collectors;

/**
 * Shortens the error of a YAML parser to one line; the parser's own has several, with an excerpt of
 * the file.
 */
public final class YamlErrorMessage {
    private YamlErrorMessage() {}

    public static String of(JsonProcessingException e) {
        String words = e.getOriginalMessage()
                .lines()
                .filter(line -> !line.isBlank() && !line.startsWith(" "))
                .collect(Collectors.joining(", "));
        JsonLocation place = e.getLocation();
        return place == null || place.getLineNr() < 1 ? words : words + " (line " + place.getLineNr() + ")";
    }
}
