package millrace.processor.retention;

import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import millrace.files.entities.EntityDictionary;
import millrace.files.store.ReportStore;
import millrace.processor.warehouse.DataVersions;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds entity dictionaries of versions that the warehouse does not have. One that another processor needs all the same
 * is built again.
 */
final class UnneededDictionaries {
    private static final Logger LOG = LoggerFactory.getLogger(UnneededDictionaries.class);

    private final ReportStore store;
    private final DataVersions versions;
    private final Map<String, Set<String>> needed = new HashMap<>();
    private final Set<String> unneeded = new HashSet<>();

    UnneededDictionaries(ReportStore store, DataVersions versions) {
        this.store = store;
        this.versions = versions;
    }

    /** Adds a file of the store, whatever it is. */
    void add(String name) throws IOException {
        String dataset = EntityDictionary.datasetOf(name).orElse(null);
        if (dataset != null && !needed(dataset).contains(name)) {
            unneeded.add(name);
        }
    }

    /** Deletes what was found and returns the number of files. */
    int delete() throws IOException {
        for (String name : unneeded) {
            LOG.debug("deleting file={}", name);
            store.delete(name);
        }
        return unneeded.size();
    }

    private Set<String> needed(String dataset) throws IOException {
        Set<String> known = needed.get(dataset);
        if (known == null) {
            known = versions.versions(dataset).stream()
                    .map(version -> EntityDictionary.fileName(dataset, version))
                    .collect(Collectors.toSet());
            needed.put(dataset, known);
        }
        return known;
    }
}
