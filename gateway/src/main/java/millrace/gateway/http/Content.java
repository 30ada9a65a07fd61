package millrace.gateway.http;

import java.io.InputStream;

/** A form after reading. */
sealed interface Content {
    record Json(InputStream json) implements Content {}

    /** @param sentence what is wrong and what is accepted */
    record Broken(String sentence) implements Content {}
}
