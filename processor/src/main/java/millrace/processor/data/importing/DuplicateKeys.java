package millrace.processor.data.importing;

import millrace.processor.warehouse.duckdb.SqlText;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.stream.Collectors;

/** Finds rows with equal keys, first by the hash of the key, which needs little memory, then exactly. */
final class DuplicateKeys {
    private static final int SHOWN = 100;

    private final StagingDatabase staging;
    private final List<String> keys;

    /** Returns the name of a row in messages, by number of the file and line. */
    public interface Places {
        String of(int file, long line);
    }

    public DuplicateKeys(StagingDatabase staging, List<TableColumn> columns) {
        this.staging = staging;
        this.keys = columns.stream()
                .filter(TableColumn::key)
                .map(c -> SqlText.name(c.name()))
                .toList();
    }

    public void check(Places places, ImportProblems problems) throws SQLException {
        String hash = "hash(" + String.join(", ", keys) + ")";
        staging.execute("CREATE TEMP TABLE suspects AS SELECT h FROM (SELECT " + hash + " AS h FROM "
                + StagingDatabase.ROWS + ") GROUP BY h HAVING count(*) > 1");
        if (staging.number("SELECT count(*) FROM suspects") == 0) {
            return;
        }
        String place = "{'f': " + StagingDatabase.FILE + ", 'l': " + StagingDatabase.LINE + "}";
        String same = String.join(", ", keys);
        staging.execute("CREATE TEMP TABLE repeated AS SELECT " + same + ", min(" + place
                + ") AS first_place, count(*) AS n FROM " + StagingDatabase.ROWS + " WHERE " + hash
                + " IN (SELECT h FROM suspects) GROUP BY ALL HAVING count(*) > 1");
        long all = staging.number("SELECT sum(n - 1) FROM repeated");
        String on = keys.stream().map(k -> "s." + k + " = r." + k).collect(Collectors.joining(" AND "));
        String shown = keys.stream().map(k -> "CAST(s." + k + " AS VARCHAR)").collect(Collectors.joining(", "));
        String sql = "SELECT s." + StagingDatabase.FILE + ", s." + StagingDatabase.LINE
                + ", r.first_place.f, r.first_place.l, concat_ws(', ', " + shown
                + ") FROM " + StagingDatabase.ROWS + " s JOIN repeated r ON " + on + " WHERE {'f': s."
                + StagingDatabase.FILE
                + ", 'l': s."
                + StagingDatabase.LINE + "} > r.first_place ORDER BY 1, 2 LIMIT " + SHOWN;
        long listed = 0;
        try (Statement statement = staging.statement();
                ResultSet found = statement.executeQuery(sql)) {
            while (found.next()) {
                listed++;
                problems.add(
                        places.of(found.getInt(1), found.getLong(2)),
                        "has the same key as " + places.of(found.getInt(3), found.getLong(4)) + ": "
                                + found.getString(5));
            }
        }
        problems.addUnlisted(all - listed);
    }
}
