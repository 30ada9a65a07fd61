package millrace.gateway.api.downloads;

import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.channels.SeekableByteChannel;
import millrace.files.BlockInputStream;

/**
 * Reads a number of bytes from the current position of a channel. Closing it closes the channel.
 */
final class FileRangeStream extends BlockInputStream {
    private final InputStream file;
    private long remaining;

    FileRangeStream(SeekableByteChannel channel, long length) {
        this.file = Channels.newInputStream(channel);
        this.remaining = length;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
        if (remaining <= 0) {
            return -1;
        }
        int n = file.read(bytes, offset, (int) Math.min(length, remaining));
        remaining -= Math.max(n, 0);
        return n;
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
