package millrace.catalog;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import millrace.catalog.dataset.Dataset;
import millrace.catalog.dataset.DatasetMetric;
import millrace.catalog.text.Text;
import millrace.contracts.Json;
import millrace.contracts.accounts.PriceRule;
import org.jspecify.annotations.Nullable;

/**
 * A file that says what differs in a built-in dataset: more metrics, another unit, meaning or range
 * of metrics that are there, another price rule. Everything else is as built in.
 */
final class DatasetExtension {
    static final String EXTENDS = "extends";

    private static final String METRICS = "metrics";
    private static final String NAME = "name";
    private static final String UNIT = "unit";
    private static final String RANGE = "range";
    /** What the column of a built-in metric holds, and how it is asked for, stays as clients know it. */
    private static final Set<String> CHANGEABLE = Set.of(NAME, UNIT, "meaning", RANGE);

    private final String file;
    private final Dataset base;

    private DatasetExtension(String file, Dataset base) {
        this.file = file;
        this.base = base;
    }

    /** What a file declares beside the dataset that it extends. */
    private record Declared(
            @Nullable List<DatasetMetric> metrics, @Nullable PriceRule priceRule) {}

    static boolean isOne(ObjectNode tree) {
        return tree.has(EXTENDS);
    }

    /**
     * The extended dataset.
     *
     * @param name of the file, which is that of the dataset
     */
    static Dataset read(String file, String name, ObjectNode tree, Map<String, Dataset> builtIn) {
        JsonNode extended = tree.get(EXTENDS);
        Dataset base = extended.isTextual() ? builtIn.get(extended.textValue()) : null;
        if (base == null) {
            throw new CatalogException(
                    file,
                    EXTENDS + ": " + (extended.isTextual() ? Text.quoted(extended.textValue()) : extended.toString())
                            + " is not a built-in dataset; accepted: " + String.join(", ", builtIn.keySet()));
        }
        if (!base.name().equals(name)) {
            throw new CatalogException(
                    file, EXTENDS + ": is " + Text.quoted(base.name()) + ", but the file is called " + name + ".yaml");
        }
        return new DatasetExtension(file, base).read(tree);
    }

    private Dataset read(ObjectNode tree) {
        ObjectNode whole = tree.deepCopy();
        whole.remove(EXTENDS);
        if (whole.get(METRICS) != null && whole.get(METRICS).isArray()) {
            Iterator<JsonNode> metrics = whole.get(METRICS).iterator();
            for (int i = 0; metrics.hasNext(); i++) {
                if (metrics.next() instanceof ObjectNode metric) {
                    complete(metric, METRICS + "[" + i + "]");
                }
            }
        }
        Declared declared = DatasetFileReader.value(file, whole, Declared.class);
        if (declared.metrics == null && declared.priceRule == null) {
            throw new CatalogException(
                    file, "declares nothing beside " + base.name() + "; accepted: " + METRICS + ", price_rule");
        }
        try {
            return new Dataset(
                    base.name(),
                    base.description(),
                    base.entity(),
                    base.keyColumns(),
                    base.filters(),
                    metrics(declared.metrics == null ? List.of() : declared.metrics),
                    declared.priceRule == null ? base.priceRule() : declared.priceRule,
                    base.maxRows(),
                    base.rowOrder(),
                    base.defaultCountry());
        } catch (IllegalArgumentException e) {
            throw new CatalogException(file, String.valueOf(e.getMessage()));
        }
    }

    /** Adds the fields that a built-in metric has and the file does not name. */
    private void complete(ObjectNode metric, String path) {
        DatasetMetric known = base.metric(metric.path(NAME).asText()).orElse(null);
        if (known == null) {
            return;
        }
        metric.fieldNames().forEachRemaining(field -> {
            if (!CHANGEABLE.contains(field)) {
                throw new CatalogException(
                        file,
                        path + "." + field + ": " + known.name() + " is built in, and this cannot be changed;"
                                + " accepted: unit, meaning, range");
            }
        });
        ObjectNode builtIn = Json.MAPPER.valueToTree(known);
        if (metric.has(UNIT)) {
            builtIn.remove(RANGE); // it is that of the old unit
        }
        builtIn.properties().forEach(field -> metric.putIfAbsent(field.getKey(), field.getValue()));
    }

    /** The built-in metrics, changed where the file does, and then those that it adds. */
    private List<DatasetMetric> metrics(List<DatasetMetric> declared) {
        Map<String, DatasetMetric> byName = new TreeMap<>();
        for (DatasetMetric metric : declared) {
            if (byName.put(metric.name(), metric) != null) {
                throw new IllegalArgumentException(METRICS + ": column " + metric.name() + " is declared twice");
            }
        }
        List<DatasetMetric> all = new ArrayList<>();
        base.metrics().forEach(metric -> all.add(byName.getOrDefault(metric.name(), metric)));
        declared.stream().filter(m -> base.metric(m.name()).isEmpty()).forEach(all::add);
        return all;
    }
}
