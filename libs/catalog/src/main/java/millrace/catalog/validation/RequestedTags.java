package millrace.catalog.validation;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;
import millrace.catalog.dataset.RequestFields;
import millrace.catalog.text.PlainText;
import millrace.catalog.text.Text;
import org.jspecify.annotations.Nullable;

/** Reads the tags of a request. */
final class RequestedTags {
    private static final Pattern NAME = Pattern.compile("[a-z0-9_.-]{1,40}");
    private static final int SHOWN = 40;

    private RequestedTags() {}

    /** Null if there are none. */
    static @Nullable Map<String, String> read(RawRequest raw, RequestProblems problems) {
        RawRequest.Named tags = raw.named(RequestFields.TAGS).orElse(null);
        if (tags == null || tags.number() == 0) {
            return null;
        }
        if (tags.number() > RequestLimits.MOST_TAGS) {
            problems.error(
                    RequestFields.TAGS,
                    "has " + Text.number(tags.number()) + " names; accepted: " + RequestLimits.MOST_TAGS + " or fewer");
            return null;
        }
        Map<String, String> read = new LinkedHashMap<>();
        tags.texts().forEach((name, text) -> {
            if (!NAME.matcher(name).matches()) {
                problems.error(
                        RequestFields.TAGS,
                        Text.quoted(name) + " is not the name of a tag; accepted: 1 to 40 of a-z, 0-9, _, . and -");
            } else {
                String value = PlainText.normal(text);
                RequestedOutput.fault(value, "must have a value")
                        .ifPresent(fault -> problems.error(RequestFields.TAGS + "." + name, fault));
                read.put(name, value);
            }
        });
        return read;
    }

    /** A name, in sentences. */
    static String shown(String name) {
        return name.length() > SHOWN || name.codePoints().anyMatch(RequestedOutput::unprintable)
                ? Text.quoted(name)
                : name;
    }
}
