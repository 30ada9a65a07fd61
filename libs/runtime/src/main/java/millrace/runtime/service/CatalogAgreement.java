package millrace.runtime.service;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.LongSupplier;
import millrace.contracts.commands.AccountCommand;
import millrace.contracts.commands.AccountCommand.RequestReport;
import millrace.contracts.requests.ReportQuery;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compares the catalog of this process with those of the gateways that accept requests. Each request
 * carries a hash of what it was checked against. Where this process declares that in another way, or not
 * at all, it says so, and is not ready for a minute after the last such request. Safe for use by many
 * threads.
 */
public final class CatalogAgreement {
    private static final Logger LOG = LoggerFactory.getLogger(CatalogAgreement.class);
    /** The header of a request's command with the hash. */
    private static final String HEADER = "millrace.declaration";

    static final Duration REMEMBERED = Duration.ofMinutes(1);

    private final Function<ReportQuery, Optional<String>> declarationHash;
    private final LongSupplier nanos;
    /** Requests from before were accepted by catalogs that may have been replaced, as this one was. */
    private final Instant startedAt;
    /** When the last request was read that differs, by the monotonic clock; null where none was. */
    private volatile @Nullable Long differedAt;

    /** @param declarationHash of this process's catalog; empty where it does not declare what the query names */
    public CatalogAgreement(Function<ReportQuery, Optional<String>> declarationHash, InstantSource clock) {
        this(declarationHash, clock, System::nanoTime);
    }

    CatalogAgreement(Function<ReportQuery, Optional<String>> declarationHash, InstantSource clock, LongSupplier nanos) {
        this.declarationHash = declarationHash;
        this.nanos = nanos;
        this.startedAt = clock.instant();
    }

    /** The headers of a command of this process. */
    public Headers headers(AccountCommand command) {
        var headers = new RecordHeaders();
        if (command instanceof RequestReport request) {
            declarationHash
                    .apply(request.request().query())
                    .ifPresent(hash -> headers.add(HEADER, hash.getBytes(StandardCharsets.UTF_8)));
        }
        return headers;
    }

    /** Compares a command that any process has written. Earlier builds wrote no hash. */
    public void read(AccountCommand command, Headers headers) {
        Header theirs = headers.lastHeader(HEADER);
        if (theirs == null
                || theirs.value() == null
                || !(command instanceof RequestReport request)
                || request.submittedAt().isBefore(startedAt)) {
            return;
        }
        ReportQuery query = request.request().query();
        Optional<String> mine = declarationHash.apply(query);
        if (mine.isPresent() && mine.get().equals(new String(theirs.value(), StandardCharsets.UTF_8))) {
            return;
        }
        differs(query, mine.isPresent() ? "declares in another way" : "does not declare");
    }

    /** To be called for a query of any process that the catalog of this one does not declare. */
    public void undeclared(ReportQuery query) {
        differs(query, "does not declare");
    }

    private void differs(ReportQuery query, String how) {
        if (agrees()) {
            LOG.error(
                    "a gateway accepted a request that the catalog of this process {}; give all gateways and processors"
                            + " the same catalog folder dataset={} metrics={}",
                    how,
                    query.dataset(),
                    query.metrics());
        }
        differedAt = nanos.getAsLong();
    }

    /** Whether no request of the last minute differed. */
    public boolean agrees() {
        Long last = differedAt;
        return last == null || nanos.getAsLong() - last > REMEMBERED.toNanos();
    }
}
