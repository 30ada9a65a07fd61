package millrace.processor.retention;

import java.util.Optional;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import millrace.contracts.requests.EntityList;
import millrace.contracts.requests.FilterList;

/** The report that a file of the report store belongs to, parsed from its name. */
sealed interface FileOwner {
    String UUID_TEXT = "([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})";
    Pattern PART = Pattern.compile(UUID_TEXT + "/[0-9]+/[^/]+");
    Pattern LIST = Pattern.compile("([^/]+)/" + UUID_TEXT + "/([^/]+)");

    UUID reportId();

    /** The file of a slice or of a whole report. */
    record Part(UUID reportId) implements FileOwner {}

    /** A list of a request: its entities, or the values of a filter. */
    record RequestList(UUID reportId) implements FileOwner {}

    /** Empty where the name is not one that Millrace gives. */
    static Optional<FileOwner> of(String name) {
        Matcher list = LIST.matcher(name);
        if (list.matches()) {
            UUID report = UUID.fromString(list.group(2));
            return name.equals(EntityList.fileName(list.group(1), report)) || FilterList.isFileName(list.group(3))
                    ? Optional.of(new RequestList(report))
                    : Optional.empty();
        }
        Matcher part = PART.matcher(name);
        return part.matches() ? Optional.of(new Part(UUID.fromString(part.group(1)))) : Optional.empty();
    }
}
