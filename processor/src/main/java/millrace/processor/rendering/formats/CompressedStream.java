package millrace.processor.rendering.formats;

import com.github.luben.zstd.ZstdOutputStreamNoFinalizer;
import java.io.BufferedOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.zip.GZIPOutputStream;
import millrace.contracts.requests.FileFormat.Compression;

/**
 * Compresses to a stream that the caller commits or discards. {@code close} ends the gzip member or zstd frame and
 * leaves the stream open. Members and frames can be concatenated, so that the parts of a report form one file.
 */
public final class CompressedStream {
    private static final int BUFFER = 1 << 16;

    private CompressedStream() {}

    public static OutputStream stream(OutputStream file, Compression compression) throws IOException {
        OutputStream below = new KeptOpen(file);
        return switch (compression) {
            case NONE -> below;
            case GZIP -> new BufferedOutputStream(new GZIPOutputStream(below, BUFFER), BUFFER);
            case ZSTD -> new BufferedOutputStream(new ZstdOutputStreamNoFinalizer(below).setChecksum(true), BUFFER);
        };
    }

    private static final class KeptOpen extends FilterOutputStream {
        KeptOpen(OutputStream file) {
            super(file);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            out.write(bytes, offset, length);
        }

        @Override
        public void close() throws IOException {
            out.flush();
        }
    }
}
