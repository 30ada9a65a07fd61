package millrace.gateway.fuzz;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A request in the making. */
final class RequestDraft {
    String method = "GET";
    String target = "/";
    String version = "HTTP/1.1";
    /** Whole lines, without their ends. */
    final List<String> headers = new ArrayList<>();

    byte[] body = new byte[0];
    /** The body as it is sent, where that is not itself with a Content-Length. */
    boolean framed;
    /** Whether the message is all there, so that it must be answered. */
    boolean whole = true;

    void header(String name, String value) {
        headers.add(name + ": " + value);
    }

    void drop(String name) {
        headers.removeIf(line -> line.toLowerCase(Locale.ROOT).startsWith(name + ":"));
    }

    byte[] bytes() {
        var out = new ByteArrayOutputStream();
        line(out, method + " " + target + " " + version);
        headers.forEach(header -> line(out, header));
        if (!framed && body.length > 0) {
            line(out, "Content-Length: " + body.length);
        }
        line(out, "");
        out.writeBytes(body);
        return out.toByteArray();
    }

    /** Characters above 255 are sent as UTF-8, as some clients do. */
    private static void line(ByteArrayOutputStream out, String text) {
        boolean latin = text.chars().allMatch(c -> c < 256);
        out.writeBytes((text + "\r\n").getBytes(latin ? StandardCharsets.ISO_8859_1 : StandardCharsets.UTF_8));
    }
}
