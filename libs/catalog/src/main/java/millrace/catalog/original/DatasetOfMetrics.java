package millrace.catalog.original;

import static com.fasterxml.jackson.core.JsonToken.END_ARRAY;
import static com.fasterxml.jackson.core.JsonToken.END_OBJECT;
import static com.fasterxml.jackson.core.JsonToken.START_ARRAY;
import static com.fasterxml.jackson.core.JsonToken.START_OBJECT;
import static com.fasterxml.jackson.core.JsonToken.VALUE_STRING;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.io.InputStream;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import millrace.catalog.Catalog;
import millrace.catalog.dataset.Dataset;
import millrace.catalog.dataset.DatasetMetric;
import millrace.catalog.dataset.RequestFields;
import millrace.catalog.text.ClientJson;
import millrace.catalog.text.NearestName;
import millrace.catalog.text.Text;
import millrace.catalog.validation.RequestContext.SentBody;
import millrace.catalog.validation.RequestLimits;

/** Finds the dataset of a body of v3 that was sent to a path without one: the only dataset that has its metrics. */
public final class DatasetOfMetrics {
    private static final String BODY = "body";

    private final Catalog catalog;
    private final BodyErrors errors = new BodyErrors();

    private DatasetOfMetrics(Catalog catalog) {
        this.catalog = catalog;
    }

    /** Reads the whole body. Metrics that no dataset has are left to the validation, unless there are no others. */
    public static ReadBody find(InputStream json, Catalog catalog) {
        var finder = new DatasetOfMetrics(catalog);
        Optional<Dataset> dataset = finder.metrics(json).flatMap(finder::dataset);
        return new ReadBody(dataset, finder.errors.sent(SentBody.V3.names(), false));
    }

    /** The metrics of the body. Empty, with an error, where it is not one JSON object. */
    private Optional<Set<String>> metrics(InputStream json) {
        Set<String> metrics = new LinkedHashSet<>();
        try (JsonParser parser = ClientJson.parser(json)) {
            JsonToken first = parser.nextToken();
            if (first != START_OBJECT) {
                errors.add(
                        BODY,
                        "must be a JSON object, but " + (first == null ? "is empty" : "is " + ClientJson.words(first)));
                return Optional.empty();
            }
            while (parser.nextToken() != END_OBJECT) {
                boolean named = parser.currentName().equals(RequestFields.METRICS);
                if (parser.nextToken() == START_ARRAY && named) {
                    addTexts(parser, metrics);
                } else {
                    parser.skipChildren();
                }
            }
            return Optional.of(metrics);
        } catch (IOException e) {
            errors.add(BODY, ClientJson.fault(e));
            return Optional.empty();
        }
    }

    private static void addTexts(JsonParser parser, Set<String> texts) throws IOException {
        for (JsonToken token = parser.nextToken(); token != END_ARRAY; token = parser.nextToken()) {
            if (token == VALUE_STRING && texts.size() < RequestLimits.MOST_NAMES) {
                texts.add(parser.getText());
            } else {
                parser.skipChildren();
            }
        }
    }

    private Optional<Dataset> dataset(Set<String> metrics) {
        if (metrics.isEmpty()) {
            errors.add(
                    RequestFields.METRICS,
                    "says which dataset is meant, and is missing; accepted: metrics of one of " + names() + inPath());
            return Optional.empty();
        }
        List<String> known = metrics.stream().filter(m -> !owners(m).isEmpty()).toList();
        if (known.isEmpty()) {
            String first = metrics.iterator().next();
            List<String> all = catalog.datasets().stream()
                    .flatMap(d -> d.metrics().stream())
                    .map(DatasetMetric::name)
                    .toList();
            errors.add(
                    RequestFields.METRICS,
                    Text.quoted(first) + " is not a metric of any dataset" + NearestName.suggestion(first, all)
                            + "; accepted: metrics of one of " + names() + inPath());
            return Optional.empty();
        }
        List<Dataset> having = catalog.datasets().stream()
                .filter(d -> known.stream().allMatch(m -> d.metric(m).isPresent()))
                .toList();
        if (having.isEmpty()) {
            errors.add(
                    RequestFields.METRICS,
                    "belong to several datasets: "
                            + Text.list(known.stream()
                                    .map(m -> m + " to " + String.join(" and ", owners(m)))
                                    .toList())
                            + "; accepted: metrics of one of them in a report");
        } else if (having.size() > 1) {
            errors.add(
                    RequestFields.METRICS,
                    "are those of several datasets: "
                            + having.stream().map(Dataset::name).collect(Collectors.joining(", "))
                            + "; accepted: the name of one in the path, as in /v3/batch/"
                            + having.getFirst().name() + "/request-report");
        }
        return having.size() == 1 ? Optional.of(having.getFirst()) : Optional.empty();
    }

    private List<String> owners(String metric) {
        return catalog.datasets().stream()
                .filter(d -> d.metric(metric).isPresent())
                .map(Dataset::name)
                .toList();
    }

    private String names() {
        return String.join(", ", catalog.names());
    }

    private String inPath() {
        return ", or the dataset's name in the path, as in /v3/batch/"
                + catalog.names().getFirst() + "/request-report";
    }
}
