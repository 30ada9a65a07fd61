package millrace.gateway.api.documents;

import jakarta.inject.Singleton;
import java.time.InstantSource;
import java.time.LocalDate;
import java.time.ZoneOffset;
import millrace.catalog.Catalog;
import millrace.contracts.Json;
import millrace.gateway.api.datasets.PublishedDatasets;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the public API's OpenAPI document, and builds it again when its examples or the day change.
 * Safe for use by many threads.
 */
@Singleton
final class PublicApiDocument {
    private final Catalog catalog;
    private final PublishedDatasets datasets;
    private final InstantSource clock;
    private @Nullable Built built;

    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Built(long revision, LocalDate day, byte[] json, byte[] yaml) {}

    PublicApiDocument(Catalog catalog, PublishedDatasets datasets, InstantSource clock) {
        this.catalog = catalog;
        this.datasets = datasets;
        this.clock = clock;
    }

    byte[] json() {
        return current().json();
    }

    byte[] yaml() {
        return current().yaml();
    }

    private synchronized Built current() {
        long revision = datasets.revision();
        LocalDate day = LocalDate.ofInstant(clock.instant(), ZoneOffset.UTC);
        Built known = built;
        if (known == null || known.revision() != revision || !known.day().equals(day)) {
            var document = OpenApi.document(
                    catalog, dataset -> ExampleRequest.of(dataset, datasets.example(dataset.name()), day));
            known = new Built(revision, day, Json.bytes(document), OpenApi.yaml(document));
            built = known;
        }
        return known;
    }
}
