package millrace.catalog;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import millrace.catalog.dataset.Dataset;
import millrace.contracts.requests.ReportQuery;
import org.jspecify.annotations.Nullable;

/** All datasets: the built-in ones, which files of a directory may extend, then those of the directory. Immutable. */
public final class Catalog {
    private static final List<String> BUILT_IN =
            List.of("demographics", "audience_interests", "keywords", "site_keywords", "traffic_and_engagement");

    private final Map<String, Dataset> datasets;

    private final Map<String, DeclarationHash> hashes = new HashMap<>();

    private Catalog(Map<String, Dataset> datasets) {
        this.datasets = Collections.unmodifiableMap(datasets);
        datasets.forEach((name, dataset) -> hashes.put(name, new DeclarationHash(dataset)));
    }

    /**
     * @param extraDir directory whose {@code *.yaml} files declare further datasets, or extend built-in ones;
     *     or null
     * @throws CatalogException where a file is invalid or the directory cannot be read; names file,
     *     field and problem
     */
    public static Catalog load(@Nullable Path extraDir) {
        Map<String, Dataset> datasets = new LinkedHashMap<>();
        for (String name : BUILT_IN) {
            datasets.put(name, DatasetFileReader.read("catalog/" + name + ".yaml", name, resource(name)));
        }
        Map<String, Dataset> builtIn = new LinkedHashMap<>(datasets);
        for (Path file : extraDir == null ? List.<Path>of() : files(extraDir)) {
            String name = file.getFileName().toString().replaceFirst("\\.yaml$", "");
            ObjectNode tree = DatasetFileReader.tree(file.toString(), bytes(file));
            if (DatasetExtension.isOne(tree)) {
                datasets.put(name, DatasetExtension.read(file.toString(), name, tree, builtIn));
            } else if (datasets.putIfAbsent(name, DatasetFileReader.dataset(file.toString(), name, tree)) != null) {
                throw new CatalogException(
                        file.toString(),
                        "name: there is already a dataset " + name + "; a file that adds to it says extends: " + name);
            }
        }
        return new Catalog(datasets);
    }

    /** The catalog of the built-in datasets only. */
    public static Catalog builtIn() {
        return load(null);
    }

    /** The datasets in the order of declaration. */
    public Collection<Dataset> datasets() {
        return datasets.values();
    }

    public List<String> names() {
        return List.copyOf(datasets.keySet());
    }

    public Optional<Dataset> dataset(String name) {
        return Optional.ofNullable(datasets.get(name));
    }

    /**
     * A hash of what the report's file follows from in this catalog; empty where the catalog does not
     * declare the dataset or one of the metrics. Two catalogs with the same hash make the same file.
     */
    public Optional<String> declarationHash(ReportQuery query) {
        DeclarationHash hash = hashes.get(query.dataset());
        return hash == null ? Optional.empty() : hash.of(query.metrics());
    }

    private static byte[] resource(String name) {
        try (InputStream in = Catalog.class.getResourceAsStream("/catalog/" + name + ".yaml")) {
            if (in == null) {
                throw new IllegalStateException("no resource for dataset " + name);
            }
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<Path> files(Path dir) {
        try (Stream<Path> files = Files.list(dir)) {
            return new ArrayList<>(files.filter(f -> f.getFileName().toString().endsWith(".yaml"))
                    .sorted()
                    .toList());
        } catch (IOException e) {
            throw new CatalogException(dir.toString(), "cannot be listed: " + e);
        }
    }

    private static byte[] bytes(Path file) {
        try {
            return Files.readAllBytes(file);
        } catch (IOException e) {
            throw new CatalogException(file.toString(), "cannot be read: " + e);
        }
    }
}
