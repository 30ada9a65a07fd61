package millrace.bench.baseline;

import java.nio.file.Path;
import java.time.format.DateTimeParseException;
import java.util.Map;
import java.util.UUID;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.core.io.FileSystemResource;
import org.springframework.dao.EmptyResultDataAccessException;
import org.springframework.http.HttpStatus;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.support.TransactionTemplate;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;
import tools.jackson.databind.ObjectMapper;

/** Takes requests, and answers what became of them. */
@RestController
@RequestMapping("/v3/batch")
class ReportController {
    private final JdbcTemplate db;
    private final TransactionTemplate transaction;
    private final ReportTasks tasks;
    private final Path folder;
    private final ObjectMapper json = new ObjectMapper();

    ReportController(
            JdbcTemplate db,
            TransactionTemplate transaction,
            ReportTasks tasks,
            @Value("${reports.folder}") String folder) {
        this.db = db;
        this.transaction = transaction;
        this.tasks = tasks;
        this.folder = Path.of(folder);
    }

    @PostMapping("/site_keywords/request-report")
    Map<String, Object> request(
            @RequestHeader("api-key") String key,
            @RequestHeader(value = "Idempotency-Key", required = false) String idempotencyKey,
            @RequestBody ReportRequest request) {
        if (!request.isValid()) {
            throw new ResponseStatusException(HttpStatus.BAD_REQUEST, "not a report that there is");
        }
        UUID id = transaction.execute(status -> accept(key, idempotencyKey, request));
        return Map.of("report_id", id, "status", "processing");
    }

    /** Stores the report, reserves its price and schedules it; returns the id of the first one with the same key. */
    private UUID accept(String key, String idempotencyKey, ReportRequest request) {
        UUID id = UUID.randomUUID();
        long estimate = request.estimate();
        int stored = db.update(
                "insert into report (id, api_key, idempotency_key, body, webhook_url, status, reserved)"
                        + " values (?, ?, ?, ?::jsonb, ?, 'processing', ?) on conflict (api_key, idempotency_key) do nothing",
                id,
                key,
                idempotencyKey,
                json.writeValueAsString(request),
                request.webhookUrl(),
                estimate);
        if (stored == 0) {
            return db.queryForObject(
                    "select id from report where api_key = ? and idempotency_key = ?", UUID.class, key, idempotencyKey);
        }
        int reserved = db.update(
                "update account set reserved = reserved + ? where api_key = ? and balance - reserved >= ?",
                estimate,
                key,
                estimate);
        if (reserved == 0) {
            throw new ResponseStatusException(HttpStatus.PAYMENT_REQUIRED, "insufficient credits");
        }
        db.update("insert into credit_ledger (report, kind, credits) values (?, 'reserve', ?)", id, estimate);
        tasks.schedule(ReportTasks.RENDER, id);
        return id;
    }

    @GetMapping("/request-status/{id}")
    Map<String, Object> status(@RequestHeader("api-key") String key, @PathVariable("id") UUID id) {
        return db.queryForMap(
                "select status, row_count, file_size, sha256, charged as used_quota from report where id = ? and api_key = ?",
                id,
                key);
    }

    @GetMapping("/download/{id}")
    FileSystemResource download(@PathVariable("id") UUID id) {
        return new FileSystemResource(folder.resolve(id + ".csv"));
    }

    @ExceptionHandler(DateTimeParseException.class)
    @ResponseStatus(HttpStatus.BAD_REQUEST)
    void wrongDate() {}

    @ExceptionHandler(EmptyResultDataAccessException.class)
    @ResponseStatus(HttpStatus.NOT_FOUND)
    void unknownReport() {}
}
