package millrace.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CatalogTest {
    private final Catalog catalog = Catalog.builtIn();

    @Test
    void hasTheFiveDatasets() {
        assertThat(catalog.names())
                .containsExactly(
                        "demographics", "audience_interests", "keywords", "site_keywords", "traffic_and_engagement");
    }
}
