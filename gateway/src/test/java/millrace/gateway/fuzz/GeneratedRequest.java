package millrace.gateway.fuzz;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;

/**
 * A request as it is sent.
 *
 * @param api whose it is
 * @param method as sent, also where something else was changed
 * @param target of the request line
 * @param mutations what was done to it
 * @param whole whether the message is all there, and its beginning as it says
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record GeneratedRequest(
        ServedApiDocument api, String method, String target, List<String> mutations, boolean whole, byte[] bytes) {

    boolean isHead() {
        return method.equals("HEAD");
    }

    /** What a shell can repeat it with. */
    public String command(String host, int port) {
        var text = new StringBuilder();
        for (byte b : bytes) {
            char c = (char) (b & 0xFF);
            text.append(
                    switch (c) {
                        case '\r' -> "\\r";
                        case '\n' -> "\\n";
                        case '\\', '%', '\'' -> hex(c);
                        default -> c >= ' ' && c < 127 ? String.valueOf(c) : hex(c);
                    });
        }
        return mutations + "\nprintf '" + text + "' | nc " + host + " " + port;
    }

    private static String hex(char c) {
        return String.format(Locale.ROOT, "\\x%02x", (int) c);
    }

    @Override
    public String toString() {
        return mutations + " " + new String(bytes, StandardCharsets.ISO_8859_1);
    }
}
