package millrace.processor.data.examples;

import millrace.catalog.dataset.Dataset;
import millrace.contracts.requests.DatasetFacts;
import millrace.files.disk.DiskReportStore;
import millrace.files.entities.EntityDictionary;
import millrace.processor.warehouse.DataVersions;
import millrace.processor.warehouse.WarehouseException;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** The facts and names that a build finds in a version, as a gateway reads them. */
public record DictionaryContent(DatasetFacts facts, List<String> names) {

    /** @param folder of the report store */
    public static DictionaryContent of(
            Dataset dataset, String version, TableReader tables, DataVersions versions, Path folder)
            throws IOException, WarehouseException {
        var store = new DiskReportStore(folder, false);
        DatasetFacts unused = new EntityDictionaryBuilder(store, tables, versions).build(dataset, version);
        var dictionary = EntityDictionary.open(store, EntityDictionary.fileName(dataset.name(), version));
        return new DictionaryContent(
                dictionary.facts(), dictionary.startingWith("", name -> true, Integer.MAX_VALUE, dictionary::read));
    }
}
