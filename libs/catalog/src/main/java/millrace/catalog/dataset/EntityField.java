package millrace.catalog.dataset;

import com.fasterxml.jackson.annotation.JsonProperty;
import millrace.catalog.text.Text;

/**
 * The request field and the key column of a dataset's entities.
 *
 * @param field {@code domains} or {@code keywords} in the built-in datasets
 * @param column the key column
 */
public record EntityField(String field, String column, Kind kind) {

    public EntityField {
        Text.identifier("field", field);
        Text.identifier("column", column);
    }

    public enum Kind {
        /** Host names; the dataset then has {@code subdomains}. */
        @JsonProperty("domain")
        DOMAIN,
        @JsonProperty("keyword")
        KEYWORD
    }
}
