package millrace.processor.ledger.streams;

import millrace.contracts.commands.RenderTask;
import millrace.contracts.commands.SliceRef;
import millrace.contracts.topics.Topics;
import millrace.processor.ledger.decide.LedgerSamples;
import millrace.processor.ledger.streams.LocalWorkers.HandedTask;
import org.apache.kafka.streams.processor.api.Record;

/** Tasks of small reports as a step hands them out. */
public final class HandedTaskSamples {
    private HandedTaskSamples() {}

    /** @param bytes of the record that hands it out through Kafka */
    public static HandedTask of(String account, String report, int bytes) {
        var task = new RenderTask.RenderSlice(
                account,
                slice(report),
                LedgerSamples.request(LedgerSamples.id(report), 1, 1, 1, null)
                        .request()
                        .query(),
                "v1",
                true,
                null,
                true);
        var record = new Record<>(report, new byte[bytes], 0);
        return new HandedTask(task, new OutgoingRecord(Topics.SMALL_REPORTS.name(), record, task));
    }

    /** The only slice of a report. */
    public static SliceRef slice(String report) {
        return new SliceRef(LedgerSamples.id(report), 1, 0, 1);
    }
}
