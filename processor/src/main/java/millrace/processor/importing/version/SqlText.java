package millrace.processor.importing.version;

/** How names and texts stand in SQL. */
public final class SqlText {
    private SqlText() {}

    public static String name(String identifier) {
        return "\"" + identifier.replace("\"", "\"\"") + "\"";
    }

    public static String text(String value) {
        return "'" + value.replace("'", "''") + "'";
    }
}
