package millrace.processor.retention;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import millrace.contracts.commands.FileDeletion;
import millrace.contracts.topics.Topics;
import millrace.runtime.service.ServiceThreads;
import millrace.runtime.telemetry.ServiceLogs;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.SerializationException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Deletes the files of the records of one poll, several side by side. */
final class DeletionBatch implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(DeletionBatch.class);
    /** A delete takes an object storage some 30 ms, so that these do 250 a second. */
    private static final int SIDE_BY_SIDE = 8;

    private final FileDeleter.Files files;
    private final DeletionMetrics metrics;
    private final ExecutorService pool;

    DeletionBatch(FileDeleter.Files files, DeletionMetrics metrics, ServiceThreads threads) {
        this.files = files;
        this.metrics = metrics;
        this.pool = Executors.newFixedThreadPool(
                SIDE_BY_SIDE, threads.platform().name("delete-", 0).factory());
    }

    /**
     * The outcome.
     *
     * @param deleted number of files that are deleted
     * @param failed the records with files that are not
     * @param error the first error; empty where nothing failed
     */
    record Outcome(int deleted, List<Failed> failed, String error) {
        /** The first failed record of each partition. */
        Map<TopicPartition, Long> first() {
            Map<TopicPartition, Long> first = new HashMap<>();
            failed.forEach(f -> first.merge(f.partition(), f.offset(), Math::min));
            return first;
        }
    }

    /** A record, and its files that are not deleted. */
    record Failed(TopicPartition partition, long offset, List<String> files) {}

    /** A record whose files are being deleted. */
    private record UnderWay(
            TopicPartition partition, long offset, FileDeletion deletion, List<Future<Boolean>> files) {}

    /** Returns when each file is deleted, or has failed. */
    Outcome delete(ConsumerRecords<String, byte[]> records) {
        var attempt = new Attempt();
        List<UnderWay> underWay = new ArrayList<>();
        for (ConsumerRecord<String, byte[]> record : records) {
            FileDeletion deletion = decoded(record);
            if (deletion != null) {
                underWay.add(new UnderWay(
                        new TopicPartition(record.topic(), record.partition()),
                        record.offset(),
                        deletion,
                        deletion.files().stream()
                                .map(file -> pool.submit(() -> attempt.delete(file)))
                                .toList()));
            }
        }
        int deleted = 0;
        List<Failed> failed = new ArrayList<>();
        for (UnderWay of : underWay) {
            List<String> left = left(of);
            int done = of.files().size() - left.size();
            metrics.deleted(of.deletion().reason(), done);
            deleted += done;
            if (left.isEmpty()) {
                log(of.deletion());
            } else {
                metrics.failed(left.size());
                failed.add(new Failed(of.partition(), of.offset(), left));
            }
        }
        return new Outcome(deleted, failed, attempt.error());
    }

    /** Counts and logs the files that are not tried again. */
    void giveUp(Outcome outcome) {
        for (Failed failed : outcome.failed()) {
            metrics.givenUp(failed.files().size());
            LOG.error(
                    "files not deleted, they are left to the next listing of the report store files={} error={}",
                    failed.files(),
                    outcome.error());
        }
    }

    private static void log(FileDeletion deletion) {
        String what = "files deleted: " + deletion.reason().name().toLowerCase(Locale.ROOT);
        ServiceLogs.report(deletion.reportId(), deletion.accountId(), "", what);
        LOG.debug("files deleted reason={} files={}", deletion.reason(), deletion.files());
    }

    private static @Nullable FileDeletion decoded(ConsumerRecord<String, byte[]> record) {
        try {
            return Topics.FILE_DELETIONS.decode(record.value());
        } catch (SerializationException e) {
            LOG.error(
                    "record skipped, it is no deletion partition={} offset={} error={}",
                    record.partition(),
                    record.offset(),
                    e.getMessage());
            return null;
        }
    }

    private static List<String> left(UnderWay of) {
        List<String> left = new ArrayList<>();
        for (int i = 0; i < of.files().size(); i++) {
            if (!succeeded(of.files().get(i))) {
                left.add(of.deletion().files().get(i));
            }
        }
        return left;
    }

    private static boolean succeeded(Future<Boolean> file) {
        try {
            return file.get();
        } catch (ExecutionException e) {
            LOG.error("deletion failed", e);
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    @Override
    public void close() {
        pool.shutdownNow();
    }

    /** One round of a batch. Where the store only fails, it is soon left alone. */
    private final class Attempt {
        private final AtomicInteger deleted = new AtomicInteger();
        private final AtomicInteger failed = new AtomicInteger();
        private final AtomicReference<@Nullable String> error = new AtomicReference<>();

        boolean delete(String file) {
            if (deleted.get() == 0 && failed.get() >= SIDE_BY_SIDE) {
                return false;
            }
            try {
                files.delete(file);
                deleted.incrementAndGet();
                return true;
            } catch (IllegalArgumentException e) {
                LOG.error("no file of the report store can have this name file={}", file);
                return true;
            } catch (IOException e) {
                failed.incrementAndGet();
                error.compareAndSet(null, e.toString());
                return false;
            }
        }

        String error() {
            String first = error.get();
            return first == null ? "" : first;
        }
    }
}
