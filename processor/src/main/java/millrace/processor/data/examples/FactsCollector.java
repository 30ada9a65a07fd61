package millrace.processor.data.examples;

import millrace.catalog.dataset.EntityField;
import millrace.catalog.dataset.EntityRules;
import millrace.contracts.requests.DatasetFacts;
import millrace.contracts.requests.Granularity;
import millrace.files.entities.EntityDictionaryWriter;

import java.io.IOException;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Collects the facts of a version from its rows, grouped by entity and granularity and sorted by
 * entity, and writes the entities into a dictionary: also those that no request can name, so that one that is not there has
 * no rows, whatever requests can name later.
 */
final class FactsCollector {
    private static final int SAMPLES = 3;
    /** Others would confuse readers: data may have keywords that are punctuation only. */
    private static final Pattern PLAIN = Pattern.compile("\\p{L}[\\p{L}\\p{N} .-]*");

    private final EntityField.Kind kind;
    private final EntityDictionaryWriter dictionary;
    private final Map<Granularity, DatasetFacts.Span> periods = new EnumMap<>(Granularity.class);
    private final List<Sample> samples = new ArrayList<>();
    private @Nullable String entity;
    private long entityRows;
    private long entities;
    private long rows;

    private record Sample(String entity, long rows) {}

    FactsCollector(EntityField.Kind kind, EntityDictionaryWriter dictionary) {
        this.kind = kind;
        this.dictionary = dictionary;
    }

    /**
     * Adds a group.
     *
     * @param first earliest date, null where no row has one
     * @throws IllegalArgumentException where the entities are not sorted by UTF-8 bytes
     */
    void add(
            @Nullable String ofEntity,
            @Nullable String granularity,
            long count,
            @Nullable LocalDate first,
            @Nullable LocalDate last)
            throws IOException {
        rows += count;
        if (first != null && last != null) {
            Optional.ofNullable(granularity)
                    .flatMap(Granularity::of)
                    .ifPresent(g -> periods.merge(g, new DatasetFacts.Span(first, last), FactsCollector::around));
        }
        if (ofEntity != null) {
            if (!ofEntity.equals(entity)) {
                endEntity();
                entity = ofEntity;
            }
            entityRows += count;
        }
    }

    /**
     * The facts; no further group may be added.
     *
     * @param updatedAt of the version, null where it is not known
     */
    DatasetFacts facts(@Nullable Instant updatedAt) throws IOException {
        endEntity();
        Map<String, DatasetFacts.Span> byWord = new LinkedHashMap<>();
        periods.forEach((granularity, span) -> byWord.put(granularity.word(), span));
        return new DatasetFacts(
                updatedAt,
                rows,
                entities,
                byWord,
                samples.stream().map(Sample::entity).toList());
    }

    private void endEntity() throws IOException {
        String ended = entity;
        if (ended == null) {
            return;
        }
        dictionary.add(ended);
        if (EntityRules.canBeNamed(kind, ended)) {
            entities++;
            if (PLAIN.matcher(ended).matches()) {
                samples.add(new Sample(ended, entityRows));
                samples.sort(Comparator.comparingLong(Sample::rows).reversed());
                if (samples.size() > SAMPLES) {
                    samples.removeLast();
                }
            }
        }
        entity = null;
        entityRows = 0;
    }

    private static DatasetFacts.Span around(DatasetFacts.Span a, DatasetFacts.Span b) {
        return new DatasetFacts.Span(
                a.first().isBefore(b.first()) ? a.first() : b.first(),
                a.last().isAfter(b.last()) ? a.last() : b.last());
    }
}
