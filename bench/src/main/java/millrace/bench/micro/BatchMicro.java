package millrace.bench.micro;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.record.internal.CompressionType;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.MemoryRecordsBuilder;
import org.apache.kafka.common.record.internal.Record;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.apache.kafka.common.utils.BufferSupplier;
import org.apache.kafka.common.utils.CloseableIterator;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** Writes and reads a batch of two records, as statuses are, as a quiet producer sends it to a partition. */
@State(Scope.Benchmark)
public class BatchMicro {
    private static final int RECORDS = 2;

    @Param({"none", "snappy", "lz4", "zstd", "gzip"})
    public String codec = "none";

    private final byte[] key = "account/0192c7d2-7b1c-7c3e-9d3a-3f1d5c2b7a11".getBytes(StandardCharsets.UTF_8);
    private final byte[] value = """
            {"report_id":"0192c7d2-7b1c-7c3e-9d3a-3f1d5c2b7a11","account_id":"account","status":"complete",
             "dataset":"site_keywords","attempt":1,"estimated_credits":12,"charged_credits":9,"row_count":894,
             "submitted_at":"2026-11-02T08:15:30.120Z","completed_at":"2026-11-02T08:15:30.133Z",
             "file":{"name":"0192c7d2-7b1c-7c3e-9d3a-3f1d5c2b7a11.csv","bytes":93211,
             "sha256":"2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae"},
             "versions":{"site_keywords":"2026-11-01T00:00:00Z"},"expires_at":"2026-11-09T08:15:30.133Z"}
            """.getBytes(StandardCharsets.UTF_8);
    private final ByteBuffer buffer = ByteBuffer.allocate(1 << 16);
    private final BufferSupplier buffers = BufferSupplier.create();
    private Compression compression = Compression.NONE;
    private MemoryRecords written = MemoryRecords.EMPTY;

    @Setup
    public void write() {
        compression = Compression.of(CompressionType.forName(codec)).build();
        written = batch(ByteBuffer.allocate(1 << 16));
    }

    @Benchmark
    public int written() {
        return batch(buffer.clear()).sizeInBytes();
    }

    @Benchmark
    public int read() {
        int bytes = 0;
        for (RecordBatch batch : written.batches()) {
            try (CloseableIterator<Record> records = batch.streamingIterator(buffers)) {
                while (records.hasNext()) {
                    bytes += records.next().valueSize();
                }
            }
        }
        return bytes;
    }

    private MemoryRecords batch(ByteBuffer into) {
        try (MemoryRecordsBuilder builder =
                MemoryRecords.builder(into, RecordBatch.MAGIC_VALUE_V2, compression, TimestampType.CREATE_TIME, 0)) {
            for (int i = 0; i < RECORDS; i++) {
                builder.append(1, key, value);
            }
            return builder.build();
        }
    }
}
