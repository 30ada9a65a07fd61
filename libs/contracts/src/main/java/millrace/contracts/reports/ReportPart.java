package millrace.contracts.reports;

/**
 * One file of a report in parts.
 *
 * @param name as clients save it, {@code {table}-{part}.csv}; unique in the report
 * @param table the name of the table that the rows are of
 * @param part number of the file among those of its table, from 1
 * @param rowCount without the header
 * @param file where it is in the report store
 */
public record ReportPart(String name, String table, int part, long rowCount, StoredFile file) {

    /**
     * A part with the name that follows from the others.
     *
     * @param extension of the report's format
     */
    public static ReportPart of(String table, int part, String extension, long rowCount, StoredFile file) {
        String number = Integer.toString(part);
        return new ReportPart(
                table + "-" + "0".repeat(Math.max(0, 4 - number.length())) + number + "." + extension,
                table,
                part,
                rowCount,
                file);
    }
}
