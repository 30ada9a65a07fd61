package millrace.gateway.admission;

import jakarta.inject.Singleton;
import java.io.IOException;
import java.util.Objects;
import java.util.UUID;
import millrace.catalog.text.SortedTextSet;
import millrace.catalog.validation.CheckedRequest;
import millrace.contracts.reports.StoredFile;
import millrace.contracts.requests.EntityList;
import millrace.contracts.requests.FilterList;
import millrace.contracts.requests.ReportQuery;
import millrace.files.store.ReportFileWriter;
import millrace.files.store.ReportStore;
import org.jspecify.annotations.Nullable;

/**
 * Writes the entities and filter values of a request to the report store where they are too many
 * for a command.
 */
@Singleton
final class RequestListWriter {
    private final ReportStore store;

    RequestListWriter(ReportStore store) {
        this.store = store;
    }

    /**
     * Writes the lists that the command names. They are durable when this returns. Where the
     * command is never acknowledged, nothing refers to them and the sweeper deletes them.
     *
     * @throws IOException where the store cannot write them
     */
    void write(String accountId, UUID reportId, CheckedRequest.Valid valid) throws IOException {
        ReportQuery query = valid.request().query();
        EntityList entities = query.entityList();
        if (entities != null) {
            write(EntityList.fileName(accountId, reportId), valid.entities(), entities.sha256());
        }
        for (var filter : valid.filters().entrySet()) {
            FilterList list = Objects.requireNonNull(query.filterList(filter.getKey()));
            write(FilterList.fileName(accountId, reportId, filter.getKey()), filter.getValue(), list.sha256());
        }
    }

    private void write(String name, @Nullable SortedTextSet texts, String sha256) throws IOException {
        try (ReportFileWriter file = store.create(name)) {
            Objects.requireNonNull(texts).writeTo(file);
            StoredFile written = file.commit();
            if (!written.sha256().equals(sha256)) {
                throw new IllegalStateException("list " + written + " is not " + sha256);
            }
        }
    }
}
