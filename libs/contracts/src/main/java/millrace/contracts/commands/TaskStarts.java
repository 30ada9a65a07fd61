package millrace.contracts.commands;

import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * How often tasks were started, by their offset: the metadata of what render workers commit. The text is {@code
 * {distance from the offset}:{starts}}, joined by commas, numbers in base 36.
 */
public final class TaskStarts {
    private static final int RADIX = Character.MAX_RADIX;

    private TaskStarts() {}

    /**
     * Metadata of another form are ignored.
     *
     * @param committed the offset that has the metadata
     */
    public static Map<Long, Integer> parse(long committed, @Nullable String metadata) {
        Map<Long, Integer> starts = new HashMap<>();
        if (metadata == null || !metadata.matches("[0-9a-z]{1,12}:[0-9a-z]{1,3}(,[0-9a-z]{1,12}:[0-9a-z]{1,3})*")) {
            return starts;
        }
        for (String entry : metadata.split(",", -1)) {
            int colon = entry.indexOf(':');
            starts.put(
                    committed + Long.parseLong(entry.substring(0, colon), RADIX),
                    Integer.parseInt(entry.substring(colon + 1), RADIX));
        }
        return starts;
    }

    /** Leaves out tasks that were not started. */
    public static String text(long committed, SortedMap<Long, Integer> starts) {
        var text = new StringBuilder();
        starts.forEach((offset, count) -> {
            if (count > 0) {
                text.append(text.isEmpty() ? "" : ",")
                        .append(Long.toString(offset - committed, RADIX))
                        .append(':')
                        .append(Integer.toString(count, RADIX));
            }
        });
        return text.toString();
    }
}
