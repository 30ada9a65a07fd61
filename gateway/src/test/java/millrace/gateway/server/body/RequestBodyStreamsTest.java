package millrace.gateway.server.body;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RequestBodyStreamsTest {
    private static final int LIMIT = 32 << 20;
    private static final byte[] LARGE = " ".repeat(20 << 20).getBytes(java.nio.charset.StandardCharsets.US_ASCII);

    @Test
    void unpacksAsMuchAsIsAcceptedPlain() throws IOException {
        for (ContentCoding coding : ContentCoding.values()) {
            try (RequestBodyStreams body = body(coding, packed(coding, LARGE), LIMIT)) {
                assertThat(body.json().readAllBytes()).isEqualTo(LARGE);
                body.drain();
                assertThat(body.failed()).isFalse();
            }
        }
    }

    @Test
    void endsWhatBecomesTooLarge() throws IOException {
        for (ContentCoding coding : ContentCoding.values()) {
            try (RequestBodyStreams body = body(coding, packed(coding, LARGE), LARGE.length - 1)) {
                assertThatThrownBy(() -> body.json().readAllBytes()).isInstanceOf(IOException.class);
                assertThat(body.exceeded()).isTrue();
            }
        }
    }

    /** Of a gzip body: its first byte, what was packed, the checksum and the length. */
    @ParameterizedTest
    @ValueSource(ints = {0, 12, -8, -4})
    void breaksOffWhereAByteIsAnother(int at) throws IOException {
        byte[] packed = packed(
                ContentCoding.GZIP, "a text that is packed".getBytes(java.nio.charset.StandardCharsets.US_ASCII));
        packed[at < 0 ? packed.length + at : at] ^= 0x55;
        isBroken(body(ContentCoding.GZIP, packed, LIMIT));
    }

    @Test
    void breaksOffWhereTheEndIsMissing() throws IOException {
        for (ContentCoding coding : new ContentCoding[] {ContentCoding.GZIP, ContentCoding.DEFLATE}) {
            byte[] packed = packed(coding, LARGE);
            for (int length : new int[] {0, 1, 5, packed.length / 2, packed.length - 1}) {
                isBroken(body(coding, Arrays.copyOf(packed, length), LIMIT));
            }
        }
    }

    @Test
    void breaksOffWhereSomethingFollowsTheEnd() throws IOException {
        for (ContentCoding coding : new ContentCoding[] {ContentCoding.GZIP, ContentCoding.DEFLATE}) {
            byte[] packed = packed(coding, LARGE);
            byte[] more = Arrays.copyOf(packed, packed.length + 2);
            more[packed.length] = 0x1F;
            isBroken(body(coding, more, LIMIT));
        }
    }

    @Test
    void endsWhereThereIsNoMemoryForIt() throws IOException {
        var memory = new BodyMemory(1 << 20, 1 << 20, 1 << 10, Duration.ZERO);
        try (var share = memory.share("acme");
                var body =
                        RequestBodyStreams.of(new ByteArrayInputStream(LARGE), ContentCoding.IDENTITY, LIMIT, share)) {
            assertThatThrownBy(() -> body.json().readAllBytes()).isInstanceOf(IOException.class);
            assertThat(body.json().outOfMemory()).isTrue();
            assertThat(body.failed()).isTrue();
            body.drain();
            assertThat(body.exceeded()).isFalse();
        }
    }

    /** And stays so, however often somebody reads on. */
    private static void isBroken(RequestBodyStreams body) throws IOException {
        try (body) {
            for (int i = 0; i < 3; i++) {
                assertThatThrownBy(() -> body.json().readAllBytes()).isInstanceOf(IOException.class);
            }
            assertThat(body.failed()).isTrue();
            assertThat(body.exceeded()).isFalse();
            assertThat(body.sent().broken()).isFalse();
        }
    }

    private static RequestBodyStreams body(ContentCoding coding, byte[] sent, long limit) {
        return RequestBodyStreams.of(new ByteArrayInputStream(sent), coding, limit, null);
    }

    private static byte[] packed(ContentCoding coding, byte[] bytes) throws IOException {
        var out = new ByteArrayOutputStream();
        try (var packing =
                switch (coding) {
                    case IDENTITY -> out;
                    case GZIP -> new GZIPOutputStream(out);
                    case DEFLATE -> new DeflaterOutputStream(out);
                }) {
            packing.write(bytes);
        }
        return out.toByteArray();
    }
}
