package millrace.contracts.schemas;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * A message with one thing wrong.
 *
 * @param what is wrong with it, for example {@code /report/status is another word}
 */
record InvalidMessage(String what, JsonNode message) {

    /** One for each way to spoil each field, at any depth. */
    static List<InvalidMessage> waysOf(JsonNode message) {
        List<InvalidMessage> ways = new ArrayList<>();
        collect(message, JsonPointer.empty(), message, ways);
        return ways;
    }

    private static void collect(JsonNode message, JsonPointer place, JsonNode node, List<InvalidMessage> ways) {
        node.properties().forEach(field -> {
            String name = field.getKey();
            JsonPointer inner = place.appendProperty(name);
            spoil(message, place, inner + " is missing", ways, object -> object.remove(name));
            spoil(message, place, inner + " is null", ways, object -> object.putNull(name));
            spoil(message, place, inner + " is another word", ways, object -> object.put(name, "no such word"));
            spoil(message, place, inner + " is a number", ways, object -> object.put(name, -1.5));
            spoil(message, place, inner + " is a list", ways, object -> object.putArray(name)
                    .add(true));
            collect(message, inner, field.getValue(), ways);
        });
    }

    private static void spoil(
            JsonNode message, JsonPointer place, String what, List<InvalidMessage> ways, Consumer<ObjectNode> change) {
        JsonNode copy = message.deepCopy();
        change.accept((ObjectNode) copy.at(place));
        ways.add(new InvalidMessage(what, copy));
    }
}
