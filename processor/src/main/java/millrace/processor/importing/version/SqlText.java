package millrace.processor.importing.version;

/** Quotes names and texts for SQL. */
public final class SqlText {
    private SqlText() {}

    public static String name(String identifier) {
        return "\"" + identifier.replace("\"", "\"\"") + "\"";
    }

    public static String text(String value) {
        return "'" + value.replace("'", "''") + "'";
    }
}
