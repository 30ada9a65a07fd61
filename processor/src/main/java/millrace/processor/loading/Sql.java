package millrace.processor.loading;

/** How names and texts stand in SQL. */
final class Sql {
    private Sql() {}

    static String name(String identifier) {
        return "\"" + identifier.replace("\"", "\"\"") + "\"";
    }

    static String text(String value) {
        return "'" + value.replace("'", "''") + "'";
    }
}
