package millrace.gateway.api.datasets;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import millrace.contracts.requests.DatasetExample;
import millrace.contracts.requests.DatasetFacts;
import millrace.files.entities.EntityDictionary;
import millrace.files.entities.EntityDictionaryWriter;
import millrace.files.store.ReportFileWriter;
import millrace.files.store.ReportStore;

/** Writes entity dictionaries as a processor does. */
public final class TestDictionaries {
    private TestDictionaries() {}

    /**
     * Writes a dictionary and returns the message about it.
     *
     * @param names in the order of UTF-8 bytes
     */
    public static DatasetExample write(
            ReportStore store,
            String dataset,
            String version,
            List<String> names,
            Map<String, DatasetFacts.Span> periods)
            throws IOException {
        var facts = new DatasetFacts(
                null, 10L * names.size(), names.size(), periods, names.subList(0, Math.min(3, names.size())));
        try (ReportFileWriter out = store.create(EntityDictionary.fileName(dataset, version))) {
            var dictionary = new EntityDictionaryWriter(out);
            for (String name : names) {
                dictionary.add(name);
            }
            dictionary.finish(facts);
            var unused = out.commit();
        }
        return new DatasetExample(dataset, version, null, facts, null, null, null, null);
    }
}
