package millrace.files;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import millrace.contracts.reports.ReportManifest;
import millrace.contracts.requests.FileFormat;
import millrace.files.store.ReportFileWriter;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.model.CompletedPart;

/**
 * Uploads a report file while it is written, a buffer at a time; a file that fits into one buffer
 * is put at once. The object appears when {@link #publish} completes the upload.
 */
final class S3ReportFileWriter extends ReportFileWriter {
    /** S3's minimum size of a part, except the last. */
    static final int LEAST = 5 * 1024 * 1024;

    private static final Logger LOG = LoggerFactory.getLogger(S3ReportFileWriter.class);
    private static final int SMALL = 64 * 1024;

    private final S3Bucket bucket;
    private final String key;
    private final S3UploadBuffers buffers;
    private final List<CompletedPart> parts = new ArrayList<>();
    private byte[] buffer = new byte[SMALL];
    private int filled;
    private boolean large;
    private @Nullable String upload;
    private boolean done;

    S3ReportFileWriter(String name, S3Bucket bucket, String key, S3UploadBuffers buffers) {
        super(name);
        this.bucket = bucket;
        this.key = key;
        this.buffers = buffers;
    }

    @Override
    protected void append(byte[] bytes, int offset, int length) throws IOException {
        if (done) {
            throw new IOException("the file is closed: " + key);
        }
        int from = offset;
        int end = offset + length;
        while (from < end) {
            makeRoom(end - from);
            int n = Math.min(end - from, buffer.length - filled);
            System.arraycopy(bytes, from, buffer, filled, n);
            filled += n;
            from += n;
        }
    }

    private void makeRoom(int needed) throws IOException {
        if (buffer.length - filled >= needed || buffer.length == S3UploadBuffers.SIZE) {
            if (filled == buffer.length) {
                flushPart();
            }
            return;
        }
        int least = (int) Math.min(S3UploadBuffers.SIZE, (long) filled + needed);
        int size = Math.max(least, Math.min(S3UploadBuffers.SIZE, buffer.length * 4));
        if (size > S3UploadBuffers.FREE && !large) {
            buffers.acquire();
            large = true;
        }
        buffer = Arrays.copyOf(buffer, large ? S3UploadBuffers.SIZE : size);
    }

    /** Whether a part of the upload may end after the bytes written so far. */
    boolean isAtBoundary() {
        return filled == 0 || filled >= LEAST;
    }

    /** Makes the storage copy an object to the end of this one. The caller counts its bytes. */
    void copy(String from, String tag) throws IOException {
        if (filled > 0) {
            flushPart();
        }
        String id = upload();
        int number = parts.size() + 1;
        var copied = bucket.call(
                key,
                s3 -> s3.uploadPartCopy(r -> r.sourceBucket(bucket.name())
                        .sourceKey(from)
                        .copySourceIfMatch(tag)
                        .destinationBucket(bucket.name())
                        .destinationKey(key)
                        .uploadId(id)
                        .partNumber(number)));
        parts.add(part(number, copied.copyPartResult().eTag()));
    }

    private void flushPart() throws IOException {
        String id = upload();
        int number = parts.size() + 1;
        var put = bucket.call(
                key,
                s3 -> s3.uploadPart(
                        r -> r.bucket(bucket.name()).key(key).uploadId(id).partNumber(number), body()));
        parts.add(part(number, put.eTag()));
        filled = 0;
    }

    private String upload() throws IOException {
        String id = upload;
        if (id == null) {
            id = bucket.call(
                            key,
                            s3 -> s3.createMultipartUpload(
                                    r -> r.bucket(bucket.name()).key(key).contentType(type())))
                    .uploadId();
            upload = id;
        }
        return id;
    }

    @Override
    protected void publish() throws IOException {
        if (done) {
            throw new IllegalStateException("the file is closed: " + key);
        }
        if (upload == null) {
            bucket.call(
                    key,
                    s3 -> s3.putObject(r -> r.bucket(bucket.name()).key(key).contentType(type()), body()));
        } else {
            if (filled > 0) {
                flushPart();
            }
            complete(upload);
        }
        release();
    }

    private void complete(String id) throws IOException {
        try {
            bucket.call(
                    key,
                    s3 -> s3.completeMultipartUpload(
                            r -> r.bucket(bucket.name()).key(key).uploadId(id).multipartUpload(m -> m.parts(parts))));
        } catch (IOException e) {
            // Where the first answer was lost, the storage does not know the upload any more at the next try.
            if (!isCompleted()) {
                throw e;
            }
            LOG.debug("upload completed by a try whose answer was lost key={}", key, e);
        }
    }

    private boolean isCompleted() {
        try {
            return bucket.call(
                                    key,
                                    s3 -> s3.headObject(
                                            r -> r.bucket(bucket.name()).key(key)))
                            .contentLength()
                    == size();
        } catch (IOException e) {
            return false;
        }
    }

    /** Aborts an upload that was not committed. Where that fails, the sweeper aborts it. */
    @Override
    public void close() {
        String id = upload;
        if (!done && id != null) {
            boolean interrupted = Thread.interrupted();
            try {
                bucket.call(
                        key,
                        s3 -> s3.abortMultipartUpload(
                                r -> r.bucket(bucket.name()).key(key).uploadId(id)));
            } catch (IOException e) {
                LOG.warn("upload not aborted, the sweeper will delete it key={} error={}", key, e.getMessage());
            } finally {
                if (interrupted) {
                    Thread.currentThread().interrupt();
                }
            }
        }
        release();
    }

    private void release() {
        done = true;
        buffer = new byte[0];
        if (large) {
            large = false;
            buffers.release();
        }
    }

    private RequestBody body() {
        return RequestBody.fromByteBuffer(java.nio.ByteBuffer.wrap(buffer, 0, filled));
    }

    private String type() {
        return key.endsWith("." + ReportManifest.EXTENSION)
                ? "application/json"
                : FileFormat.ofName(key).mediaType();
    }

    private static CompletedPart part(int number, String tag) {
        return CompletedPart.builder().partNumber(number).eTag(tag).build();
    }
}
