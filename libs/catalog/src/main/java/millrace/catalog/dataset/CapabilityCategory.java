package millrace.catalog.dataset;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Arrays;
import java.util.Optional;
import millrace.catalog.text.Text;

/** A category of data. An account's countries and history are granted per category. */
public enum CapabilityCategory {
    WEB_DESKTOP("web_desktop_data"),
    WEB_MOBILE("web_mobile_data"),
    APP("app_data"),
    APP_ENGAGEMENT("app_engagement_data");

    private final String word;

    CapabilityCategory(String word) {
        this.word = word;
    }

    /** The field of the capabilities record, for example {@code web_desktop_data}. */
    @JsonValue
    public String word() {
        return word;
    }

    public static Optional<CapabilityCategory> of(String word) {
        return Arrays.stream(values()).filter(c -> c.word.equals(word)).findFirst();
    }

    @JsonCreator
    static CapabilityCategory parse(String word) {
        return of(word).orElseThrow(() -> new IllegalArgumentException(Text.quoted(word) + " is not one of "
                + Text.list(
                        Arrays.stream(values()).map(CapabilityCategory::word).toList())));
    }
}
