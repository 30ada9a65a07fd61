package millrace.catalog.dataset;

import com.fasterxml.jackson.annotation.JsonProperty;
import millrace.catalog.text.Text;

/**
 * What a dataset is asked about.
 *
 * @param field name of the request field, {@code domains} or {@code keywords} for the built-in datasets
 * @param column the key column
 */
public record EntityField(String field, String column, Kind kind) {

    public EntityField {
        Text.identifier("field", field);
        Text.identifier("column", column);
    }

    public enum Kind {
        /** Bare host names; the dataset then has {@code subdomains}. */
        @JsonProperty("domain")
        DOMAIN,
        @JsonProperty("keyword")
        KEYWORD
    }
}
