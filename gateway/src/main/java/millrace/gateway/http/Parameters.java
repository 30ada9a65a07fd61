package millrace.gateway.http;

import io.micronaut.http.HttpRequest;
import java.util.OptionalInt;

/** Query parameters of our own reading, so that errors are in our words. */
final class Parameters {
    private Parameters() {}

    /** Empty where it is not a whole number between the bounds. */
    static OptionalInt integer(HttpRequest<?> http, String name, int least, int most, int otherwise) {
        String text = http.getParameters().get(name);
        if (text == null) {
            return OptionalInt.of(otherwise);
        }
        if (!text.matches("[0-9]{1,10}")) {
            return OptionalInt.empty();
        }
        long value = Long.parseLong(text);
        return value < least || value > most ? OptionalInt.empty() : OptionalInt.of((int) value);
    }
}
