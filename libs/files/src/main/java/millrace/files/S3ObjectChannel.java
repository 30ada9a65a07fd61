package millrace.files;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.NonWritableChannelException;
import java.nio.channels.SeekableByteChannel;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.ResponseInputStream;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;

/** Reads an object from the channel's position. Continues there after a broken connection. */
final class S3ObjectChannel implements SeekableByteChannel {
    private static final int TRIES = 4;

    private final S3Bucket bucket;
    private final String key;
    private final String tag;
    private final long size;
    private long position;
    private @Nullable ResponseInputStream<GetObjectResponse> stream;
    private boolean open = true;

    S3ObjectChannel(S3Bucket bucket, String key) throws IOException {
        this.bucket = bucket;
        this.key = key;
        var head = bucket.call(
                key, s3 -> s3.headObject(r -> r.bucket(bucket.name()).key(key)));
        this.size = head.contentLength();
        this.tag = head.eTag();
    }

    /** The entity tag of the object that is read. */
    String tag() {
        return tag;
    }

    @Override
    public int read(ByteBuffer target) throws IOException {
        checkOpen();
        if (position >= size) {
            return -1;
        }
        byte[] bytes = new byte[Math.min(target.remaining(), 1 << 16)];
        for (int tries = 1; ; tries++) {
            try {
                int n = stream().read(bytes, 0, bytes.length);
                if (n < 0) {
                    throw new IOException(key + " ends after " + position + " bytes of " + size);
                }
                target.put(bytes, 0, n);
                position += n;
                return n;
            } catch (IOException e) {
                drop();
                if (tries == TRIES) {
                    throw e;
                }
            }
        }
    }

    private ResponseInputStream<GetObjectResponse> stream() throws IOException {
        var running = stream;
        if (running == null) {
            running = bucket.call(
                    key,
                    s3 -> s3.getObject(
                            r -> r.bucket(bucket.name()).key(key).ifMatch(tag).range("bytes=" + position + "-")));
            stream = running;
        }
        return running;
    }

    /** Aborts the stream; closing it would read it to its end. */
    private void drop() {
        if (stream != null) {
            stream.abort();
            stream = null;
        }
    }

    @Override
    public long position() {
        return position;
    }

    @Override
    public SeekableByteChannel position(long to) throws IOException {
        checkOpen();
        if (to != position) {
            drop();
            position = to;
        }
        return this;
    }

    @Override
    public long size() {
        return size;
    }

    @Override
    public boolean isOpen() {
        return open;
    }

    @Override
    public void close() {
        open = false;
        drop();
    }

    @Override
    public int write(ByteBuffer source) {
        throw new NonWritableChannelException();
    }

    @Override
    public SeekableByteChannel truncate(long length) {
        throw new NonWritableChannelException();
    }

    private void checkOpen() throws IOException {
        if (!open) {
            throw new ClosedChannelException();
        }
    }
}
