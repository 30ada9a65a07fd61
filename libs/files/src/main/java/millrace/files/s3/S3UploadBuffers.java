package millrace.files.s3;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** Bounds the memory of all uploads: large buffers are few, and small ones are free. */
final class S3UploadBuffers {
    /** Of a large buffer, and so of a part. */
    static final int SIZE = 8 * 1024 * 1024;
    /** Up to here a buffer is small. */
    static final int FREE = 1024 * 1024;

    private static final int MOST = 8;
    private static final int PATIENCE_SECONDS = 60;

    private final Semaphore large = new Semaphore(MOST, true);

    void take() throws IOException {
        try {
            if (!large.tryAcquire(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                throw new IOException(
                        "too many uploads at once: no buffer came free within " + PATIENCE_SECONDS + " s");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while waiting for an upload buffer");
        }
    }

    void giveBack() {
        large.release();
    }
}
