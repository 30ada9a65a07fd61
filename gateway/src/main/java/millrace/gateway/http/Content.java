package millrace.gateway.http;

/** A request body after reading. */
sealed interface Content {
    @SuppressWarnings("ArrayRecordComponent") // megabytes, handed on once and never compared
    record Json(byte[] bytes) implements Content {}

    record TooLarge() implements Content {}

    /** @param sentence what is wrong and what is accepted */
    record Broken(String sentence) implements Content {}
}
