package millrace.gateway.server.body;

import java.io.InputStream;

/** The content of a multipart form. */
sealed interface FormContent {
    record Json(InputStream json) implements FormContent {}

    /** @param sentence what is wrong and what is accepted */
    record Broken(String sentence) implements FormContent {}
}
