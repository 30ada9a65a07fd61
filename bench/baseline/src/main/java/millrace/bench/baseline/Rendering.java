package millrace.bench.baseline;

import de.siegmar.fastcsv.writer.CsvWriter;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.sql.Connection;
import java.sql.Date;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HexFormat;
import java.util.Map;
import java.util.UUID;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionTemplate;
import tools.jackson.databind.ObjectMapper;

/** Writes the file of a report, and settles its price. */
@Component
class Rendering {
    private static final int FETCHED = 1000;

    private final JdbcTemplate db;
    private final TransactionTemplate transaction;
    private final ReportTasks tasks;
    private final Path folder;
    private final boolean forced;
    private final ObjectMapper json = new ObjectMapper();

    /** @param forced whether a file survives a power failure, and not only the end of the process */
    Rendering(
            JdbcTemplate db,
            TransactionTemplate transaction,
            ReportTasks tasks,
            @Value("${reports.folder}") String folder,
            @Value("${reports.forced}") boolean forced)
            throws IOException {
        this.db = db;
        this.transaction = transaction;
        this.tasks = tasks;
        this.folder = Files.createDirectories(Path.of(folder));
        this.forced = forced;
    }

    void render(UUID id) {
        Map<String, Object> report = db.queryForMap(
                "select body::text as body, status, reserved, api_key, webhook_url from report where id = ?", id);
        if (!report.get("status").equals("processing")) {
            return; // a repeated task
        }
        ReportRequest request = json.readValue((String) report.get("body"), ReportRequest.class);
        MessageDigest digest = sha256();
        Path written = folder.resolve(id + ".tmp");
        Path file = folder.resolve(id + ".csv");
        // In a transaction the driver reads the rows by a cursor, and not all at once.
        long rows = transaction.execute(status ->
                db.execute((ConnectionCallback<Long>) connection -> write(connection, request, written, digest)));
        try {
            if (forced) {
                try (FileChannel channel = FileChannel.open(written, StandardOpenOption.WRITE)) {
                    channel.force(true);
                }
            }
            Files.move(written, file, StandardCopyOption.ATOMIC_MOVE);
            settle(id, report, rows, Files.size(file), HexFormat.of().formatHex(digest.digest()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static long write(Connection connection, ReportRequest request, Path file, MessageDigest digest)
            throws SQLException {
        String metrics = String.join(", ", request.metrics());
        try (PreparedStatement query = connection.prepareStatement("select domain, country, date, keyword, " + metrics
                        + " from warehouse.site_keywords where domain = any(?) and country = any(?) and date between ? and ?"
                        + " order by domain, country, date, desktop_keywords_total_visits desc nulls last, keyword");
                OutputStream out =
                        new DigestOutputStream(new BufferedOutputStream(Files.newOutputStream(file), 1 << 16), digest);
                CsvWriter csv = CsvWriter.builder().build(out)) {
            query.setFetchSize(FETCHED);
            query.setArray(1, connection.createArrayOf("text", request.domains().toArray()));
            query.setArray(
                    2, connection.createArrayOf("text", request.countries().toArray()));
            query.setDate(3, Date.valueOf(request.from()));
            query.setDate(4, Date.valueOf(request.to()));
            try (ResultSet rows = query.executeQuery()) {
                return write(rows, csv);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static long write(ResultSet rows, CsvWriter csv) throws SQLException {
        String[] cells = new String[rows.getMetaData().getColumnCount()];
        for (int i = 0; i < cells.length; i++) {
            cells[i] = rows.getMetaData().getColumnLabel(i + 1);
        }
        csv.writeRecord(cells);
        long number = 0;
        while (rows.next()) {
            for (int i = 0; i < cells.length; i++) {
                Object value = rows.getObject(i + 1);
                cells[i] = value == null ? "" : value instanceof String text ? withoutFormula(text) : value.toString();
            }
            csv.writeRecord(cells);
            number++;
        }
        return number;
    }

    /** A text that a spreadsheet would take for a formula begins with a quote, as Millrace writes it. */
    private static String withoutFormula(String text) {
        return !text.isEmpty() && "=+-@\t\r".indexOf(text.charAt(0)) >= 0 ? "'" + text : text;
    }

    private void settle(UUID id, Map<String, Object> report, long rows, long size, String sha256) {
        long reserved = ((Number) report.get("reserved")).longValue();
        long charged = Math.min(Math.ceilDiv(rows, 100), reserved);
        transaction.executeWithoutResult(status -> {
            int ended = db.update(
                    "update report set status = 'complete', row_count = ?, file_size = ?, sha256 = ?, charged = ?,"
                            + " ended = now() where id = ? and status = 'processing'",
                    rows,
                    size,
                    sha256,
                    charged,
                    id);
            if (ended == 1) {
                db.update(
                        "update account set balance = balance - ?, reserved = reserved - ? where api_key = ?",
                        charged,
                        reserved,
                        report.get("api_key"));
                db.update("insert into credit_ledger (report, kind, credits) values (?, 'settle', ?)", id, charged);
                if (report.get("webhook_url") != null) {
                    tasks.schedule(ReportTasks.WEBHOOK, id);
                }
            }
        });
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e); // each JDK has it
        }
    }
}
