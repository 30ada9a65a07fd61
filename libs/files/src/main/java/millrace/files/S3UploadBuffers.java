package millrace.files;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Bounds the memory of all uploads together by the number of large buffers. Small buffers are not
 * counted.
 */
final class S3UploadBuffers {
    /** Size of a large buffer, and so of a part. */
    static final int SIZE = 8 * 1024 * 1024;
    /** Largest buffer that is not counted. */
    static final int FREE = 1024 * 1024;

    private static final int MOST = 8;
    private static final int TIMEOUT_SECONDS = 60;

    private final Semaphore large = new Semaphore(MOST, true);

    void acquire() throws IOException {
        try {
            if (!large.tryAcquire(TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
                throw new IOException("too many uploads at once: no buffer came free within " + TIMEOUT_SECONDS + " s");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while waiting for an upload buffer");
        }
    }

    void release() {
        large.release();
    }
}
