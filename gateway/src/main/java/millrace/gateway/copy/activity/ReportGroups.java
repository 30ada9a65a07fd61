package millrace.gateway.copy.activity;

import java.nio.ByteBuffer;
import java.util.Map;
import java.util.TreeMap;
import millrace.contracts.reports.ReportStatus;
import millrace.gateway.copy.database.RowKey;
import org.jspecify.annotations.Nullable;

/**
 * What the credits of a report are counted for.
 *
 * @param tags values by name
 */
public record ReportGroups(String dataset, Map<String, String> tags) {
    static ReportGroups of(ReportStatus report) {
        Map<String, String> tags = report.tags();
        return new ReportGroups(report.dataset(), tags == null ? Map.of() : tags);
    }

    byte[] bytes() {
        RowKey out = RowKey.in(Table.DATASETS).text(dataset);
        tags.forEach((name, value) -> out.text(name).text(value));
        return out.bytes();
    }

    static @Nullable ReportGroups read(byte @Nullable [] bytes) {
        if (bytes == null) {
            return null;
        }
        ByteBuffer in = ByteBuffer.wrap(bytes).position(1);
        String dataset = RowKey.text(in);
        Map<String, String> tags = new TreeMap<>();
        while (in.hasRemaining()) {
            tags.put(RowKey.text(in), RowKey.text(in));
        }
        return new ReportGroups(dataset, tags);
    }
}
