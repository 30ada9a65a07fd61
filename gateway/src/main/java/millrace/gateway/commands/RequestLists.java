package millrace.gateway.commands;

import jakarta.inject.Singleton;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.util.UUID;
import millrace.catalog.EntityTexts;
import millrace.contracts.EntityList;
import millrace.contracts.PartFile;
import millrace.files.PartWriter;
import millrace.files.ReportStore;

/** Keeps the entities of a request where they are too many for a command. */
@Singleton
final class RequestLists {
    private final ReportStore store;

    RequestLists(ReportStore store) {
        this.store = store;
    }

    /**
     * Writes the list that the command names. It is safe when this returns; nobody needs it where the command is never
     * acknowledged, and the sweeper finds it then.
     *
     * @throws IOException where it cannot be kept
     */
    void write(String accountId, UUID reportId, EntityTexts entities, EntityList list) throws IOException {
        try (PartWriter file = store.create(EntityList.fileName(accountId, reportId))) {
            var out = new BufferedOutputStream(file, 1 << 16);
            entities.writeTo(out);
            out.flush();
            PartFile written = file.commit();
            if (written.size() != list.bytes() || !written.sha256().equals(list.sha256())) {
                throw new IllegalStateException("list " + written + " is not " + list.sha256());
            }
        }
    }
}
