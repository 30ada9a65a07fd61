package millrace.runtime.repartition;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import millrace.contracts.Json;
import millrace.contracts.topics.LedgerStateKeys;
import millrace.contracts.topics.Topic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.errors.SerializationException;
import org.jspecify.annotations.Nullable;

/**
 * Writes anew what the ledger's state says of each partition: its form, how many open reports read which version of the
 * data, and the reports that are over. Takes some 200 bytes for each open report.
 */
final class LedgerStateChange implements RecordChange {
    /** Only open reports have it, outside of texts. */
    private static final byte[] OPEN = "\"work\":".getBytes(StandardCharsets.UTF_8);

    private final int partitions;
    private final Map<String, String> openReports = new HashMap<>();
    private final List<Map<String, Integer>> versions = new ArrayList<>();
    private final EndedRows ended = new EndedRows();
    /** By partition that was read; 0 where there was none. */
    private final Map<Integer, Integer> forms = new HashMap<>();

    private long newest;

    /** @param partitions of the copy */
    LedgerStateChange(int partitions) {
        this.partitions = partitions;
        for (int i = 0; i < partitions; i++) {
            versions.add(new TreeMap<>());
        }
    }

    @Override
    public boolean keeps(ConsumerRecord<byte[], byte[]> record) {
        newest = Math.max(newest, record.timestamp());
        String key = new String(record.key(), StandardCharsets.UTF_8);
        forms.putIfAbsent(record.partition(), 0);
        switch (LedgerStateKeys.kind(key)) {
            case LedgerStateKeys.FORM -> {
                int form = record.value() == null ? 0 : read(record.value()).asInt();
                forms.merge(record.partition(), form, Math::max);
                return false;
            }
            case LedgerStateKeys.ENDED -> {
                ended.put(record.partition() + "/" + key, record.value());
                return false;
            }
            case LedgerStateKeys.DATA_VERSIONS,
                    LedgerStateKeys.ENDED_AGENDA,
                    LedgerStateKeys.ENDED_SIZE,
                    LedgerStateKeys.CLOCK -> {
                return false;
            }
            case LedgerStateKeys.REPORTS -> {
                if (contains(record.value(), OPEN)) {
                    openReports.put(key, version(read(record.value())));
                } else {
                    openReports.remove(key);
                }
                return true;
            }
            default -> {
                return true;
            }
        }
    }

    private static String version(JsonNode report) {
        return LedgerStateKeys.DATA_VERSIONS + "/"
                + report.at("/status/dataset").asText() + "/"
                + report.at("/work/data_version").asText();
    }

    @Override
    public List<Addition> additions(int partition) {
        if (partition == 0) {
            count();
        }
        List<Addition> additions = new ArrayList<>(ended.of(partition, partitions, newest));
        int form = form();
        if (form > 0) {
            // In each: a partition that has decided commands and has no state is refused.
            additions.add(addition(LedgerStateKeys.FORM + "/ledger", form));
        }
        versions.get(partition).forEach((key, reports) -> additions.add(addition(key, reports)));
        return additions;
    }

    /** The latest, except that state is not migrated before that of all partitions is. */
    private int form() {
        int latest = forms.values().stream().mapToInt(Integer::intValue).max().orElse(0);
        boolean all = forms.values().stream().allMatch(form -> form == latest);
        return latest == LedgerStateKeys.MIGRATED && !all ? LedgerStateKeys.MIGRATING : latest;
    }

    private void count() {
        openReports.forEach((key, version) -> LedgerStateKeys.account(key)
                .ifPresent(account ->
                        versions.get(Topic.partition(account, partitions)).merge(version, 1, Integer::sum)));
        openReports.clear();
    }

    private Addition addition(String key, int value) {
        return new Addition(key.getBytes(StandardCharsets.UTF_8), Json.bytes(value), newest);
    }

    private static JsonNode read(byte[] value) {
        try {
            return Json.MAPPER.readTree(value);
        } catch (IOException e) {
            throw new SerializationException("the ledger's state is not readable: " + e.getMessage(), e);
        }
    }

    private static boolean contains(byte @Nullable [] text, byte[] part) {
        if (text == null) {
            return false;
        }
        for (int i = 0; i <= text.length - part.length; i++) {
            int same = 0;
            while (same < part.length && text[i + same] == part[same]) {
                same++;
            }
            if (same == part.length) {
                return true;
            }
        }
        return false;
    }
}
