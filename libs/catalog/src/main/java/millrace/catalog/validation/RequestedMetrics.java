package millrace.catalog.validation;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import millrace.catalog.access.Entitlements;
import millrace.catalog.dataset.CapabilityCategory;
import millrace.catalog.dataset.Dataset;
import millrace.catalog.dataset.DatasetFilter;
import millrace.catalog.dataset.DatasetMetric;
import millrace.catalog.dataset.RequestFields;
import millrace.catalog.text.NearestName;
import millrace.catalog.text.Text;
import millrace.contracts.requests.Granularity;
import org.jspecify.annotations.Nullable;

/**
 * The metrics and the granularity of a request that the dataset has.
 *
 * @param granularity null where it is missing or unknown
 * @param categories capability categories that an account needs for the metrics; where no metric is
 *     known, those that every metric needs
 */
record RequestedMetrics(
        List<DatasetMetric> metrics, @Nullable Granularity granularity, Set<CapabilityCategory> categories) {

    static RequestedMetrics of(Dataset dataset, RawRequest raw, Entitlements entitlements, RequestProblems problems) {
        Granularity granularity = granularity(dataset, raw, problems);
        List<DatasetMetric> metrics = metrics(dataset, raw, problems);
        if (granularity != null) {
            metrics.stream()
                    .filter(m -> !m.granularities().contains(granularity))
                    .forEach(m -> problems.error(
                            RequestFields.METRICS,
                            m.name() + " has no granularity " + granularity.word() + "; accepted for it: "
                                    + words(m.granularities())));
        }
        without(dataset, raw, metrics, problems);
        Set<CapabilityCategory> categories = EnumSet.noneOf(CapabilityCategory.class);
        for (DatasetMetric metric : metrics) {
            for (CapabilityCategory category : metric.categories()) {
                if (categories.add(category) && entitlements.access(category).isEmpty()) {
                    problems.error(
                            RequestFields.METRICS,
                            metric.name() + " needs " + category.word()
                                    + ", which this account does not have; accepted: metrics of "
                                    + entitlements.words());
                }
            }
        }
        return new RequestedMetrics(metrics, granularity, metrics.isEmpty() ? commonCategories(dataset) : categories);
    }

    /** Figures that the data have over all values of a filter would only be empty cells beside its values. */
    private static void without(
            Dataset dataset, RawRequest raw, List<DatasetMetric> metrics, RequestProblems problems) {
        for (DatasetFilter filter : dataset.filters()) {
            String field = filter.field();
            if (!raw.has(field)) {
                continue;
            }
            List<String> wrong = metrics.stream()
                    .filter(m -> m.without().contains(field))
                    .map(DatasetMetric::name)
                    .toList();
            if (!wrong.isEmpty()) {
                problems.error(
                        RequestFields.METRICS,
                        Text.list(wrong) + (wrong.size() == 1 ? " has" : " have") + " no figures by " + field
                                + "; accepted with " + field + ": "
                                + Text.list(dataset.metrics().stream()
                                        .filter(m -> !m.without().contains(field))
                                        .map(DatasetMetric::name)
                                        .toList()));
            }
        }
    }

    /**
     * The categories that every metric needs, so that a wrong metric does not hide a wrong country
     * or date.
     */
    private static Set<CapabilityCategory> commonCategories(Dataset dataset) {
        Set<CapabilityCategory> common = EnumSet.allOf(CapabilityCategory.class);
        dataset.metrics().forEach(m -> common.retainAll(m.categories()));
        return common;
    }

    private static @Nullable Granularity granularity(Dataset dataset, RawRequest raw, RequestProblems problems) {
        String field = RequestFields.GRANULARITY;
        Set<Granularity> all = dataset.granularities();
        Optional<String> word = raw.text(field);
        if (word.isEmpty()) {
            if (!raw.has(field)) {
                problems.error(field, "is missing; accepted: " + words(all));
            }
            return null;
        }
        Optional<Granularity> known = Granularity.of(word.get()).filter(all::contains);
        if (known.isEmpty()) {
            problems.error(
                    field,
                    Text.quoted(word.get()) + " is not a granularity of " + dataset.name() + "; accepted: "
                            + words(all));
        }
        return known.orElse(null);
    }

    private static List<DatasetMetric> metrics(Dataset dataset, RawRequest raw, RequestProblems problems) {
        String field = RequestFields.METRICS;
        if (!raw.has(field)) {
            problems.error(field, "is missing; accepted: one or more of " + Text.list(names(dataset)));
        }
        Optional<RawRequest.Items> items = raw.items(field);
        if (items.isEmpty()) {
            return List.of();
        }
        if (items.get().empty()) {
            problems.error(field, "names nothing; accepted: one or more of " + Text.list(names(dataset)));
        }
        problems.duplicates(field, items.get().duplicates());
        List<DatasetMetric> known = new ArrayList<>();
        for (String name : items.get().values()) {
            dataset.metric(name)
                    .ifPresentOrElse(
                            known::add,
                            () -> problems.error(
                                    field,
                                    () -> Text.quoted(name) + " is not a metric of " + dataset.name()
                                            + NearestName.suggestion(name, names(dataset)) + "; accepted: "
                                            + Text.list(names(dataset))));
        }
        return known;
    }

    private static List<String> names(Dataset dataset) {
        return dataset.metrics().stream().map(DatasetMetric::name).toList();
    }

    private static String words(Iterable<Granularity> granularities) {
        List<String> words = new ArrayList<>();
        granularities.forEach(g -> words.add(g.word()));
        return words.stream().collect(Collectors.joining(", "));
    }
}
