package millrace.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.zip.CRC32;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.GZIPOutputStream;
import java.util.zip.ZipException;
import org.junit.jupiter.api.Test;

class InflatedStreamTest {
    private static final byte[] TEXT = "a text, a text, a text\n".repeat(3_000).getBytes(StandardCharsets.UTF_8);

    @Test
    void readsMembersOneAfterTheOther() throws IOException {
        byte[] three = joined(gzip(TEXT), gzip(new byte[0]), gzip(TEXT));
        assertThat(read(three)).isEqualTo(joined(TEXT, TEXT));
        assertThat(InflatedStream.gzip(drop(three)).readAllBytes()).isEqualTo(joined(TEXT, TEXT));
    }

    @Test
    void zerosMayFollow() throws IOException {
        byte[] zeros = new byte[20_000];
        assertThat(read(joined(gzip(TEXT), zeros))).isEqualTo(TEXT);
        assertThat(InflatedStream.zlib(new ByteArrayInputStream(joined(zlib(TEXT), zeros)))
                        .readAllBytes())
                .isEqualTo(TEXT);
    }

    /** The JDK's stream takes the first member of most of these for the whole. */
    @Test
    void whereItIsCutItIsAnError() throws IOException {
        byte[] first = gzip(TEXT);
        byte[] both = joined(first, gzip(TEXT));
        for (int length = 0; length < both.length; length++) {
            byte[] cut = Arrays.copyOf(both, length);
            if (length == first.length) {
                assertThat(read(cut)).as("nothing tells that there was more").isEqualTo(TEXT);
            } else {
                assertThatThrownBy(() -> read(cut)).as("%d bytes", length).isInstanceOf(EOFException.class);
            }
        }
        byte[] half = Arrays.copyOf(zlib(TEXT), 20);
        assertThatThrownBy(() ->
                        InflatedStream.zlib(new ByteArrayInputStream(half)).readAllBytes())
                .isInstanceOf(EOFException.class);
    }

    @Test
    void nothingElseMayFollow() throws IOException {
        byte[] more = {0, 0, 'x'};
        assertThatThrownBy(() -> read(joined(gzip(TEXT), more)))
                .isInstanceOf(ZipException.class)
                .hasMessage("something other than zeros follows the compressed data");
        assertThatThrownBy(() -> read(joined(gzip(TEXT), "keyword,country\n".getBytes(StandardCharsets.UTF_8))))
                .isInstanceOf(ZipException.class);
        assertThatThrownBy(() -> InflatedStream.zlib(new ByteArrayInputStream(joined(zlib(TEXT), zlib(TEXT))))
                        .readAllBytes())
                .isInstanceOf(ZipException.class);
    }

    @Test
    void damageIsAnError() throws IOException {
        byte[] packed = gzip(TEXT);
        for (int i = 0; i < packed.length; i++) {
            byte[] damaged = packed.clone();
            damaged[i] ^= 0x55;
            boolean unused = i >= 4 && i < 10;
            if (!unused) {
                assertThatThrownBy(() -> read(damaged)).as("byte %d", i).isInstanceOf(IOException.class);
            }
        }
        assertThatThrownBy(() -> read(TEXT)).isInstanceOf(ZipException.class).hasMessage("it is not in gzip format");
    }

    /** As {@code gzip} writes with a name, and others with a comment, an extra field and a checksum of the header. */
    @Test
    void allPartsOfAHeaderAreRead() throws IOException {
        byte[] head = HexFormat.of().parseHex("1f8b081e000000000003" + "0300" + "010203" + "612e63737600" + "6300");
        var crc = new CRC32();
        crc.update(head);
        byte[] sum = {(byte) crc.getValue(), (byte) (crc.getValue() >> 8)};
        byte[] plain = gzip(TEXT);
        byte[] rest = Arrays.copyOfRange(plain, 10, plain.length);
        assertThat(read(joined(head, sum, rest))).isEqualTo(TEXT);
        sum[0]++;
        assertThatThrownBy(() -> read(joined(head, sum, rest))).isInstanceOf(ZipException.class);
    }

    @Test
    void afterItIsClosedNothingIsRead() throws IOException {
        InflatedStream stream = InflatedStream.gzip(new ByteArrayInputStream(gzip(TEXT)));
        assertThat(stream.read()).isEqualTo('a');
        stream.close();
        assertThatThrownBy(stream::read).isInstanceOf(IOException.class);
    }

    private static byte[] read(byte[] packed) throws IOException {
        try (var stream = InflatedStream.gzip(new ByteArrayInputStream(packed))) {
            return stream.readAllBytes();
        }
    }

    /** The bytes come one by one, and nothing is available, as from a pipe. */
    private static InputStream drop(byte[] bytes) {
        var in = new ByteArrayInputStream(bytes);
        return new BlockInputStream() {
            @Override
            public int read(byte[] into, int offset, int length) {
                return in.read(into, offset, Math.min(1, length));
            }
        };
    }

    private static byte[] gzip(byte[] bytes) throws IOException {
        var out = new ByteArrayOutputStream();
        try (var packing = new GZIPOutputStream(out)) {
            packing.write(bytes);
        }
        return out.toByteArray();
    }

    private static byte[] zlib(byte[] bytes) throws IOException {
        var out = new ByteArrayOutputStream();
        try (var packing = new DeflaterOutputStream(out)) {
            packing.write(bytes);
        }
        return out.toByteArray();
    }

    private static byte[] joined(byte[]... parts) {
        var out = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            out.writeBytes(part);
        }
        return out.toByteArray();
    }
}
