package millrace.gateway.server.netty;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import java.nio.channels.ClosedChannelException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The codec as the gateway has it, and the handler behind it. */
class MessageFramingHandlerTest {
    private static final String NEXT = "GET /smuggled HTTP/1.1\r\nHost: a\r\n\r\n";
    private static final String CHUNKED = "POST /x HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n";

    private final List<Throwable> failures = new ArrayList<>();
    private final EmbeddedChannel channel = new EmbeddedChannel(
            new HttpServerCodec(1024, 1024, 8192),
            new SequentialRequestHandler(),
            new MessageFramingHandler(new RequestHeadCheck(1024)),
            new ChannelInboundHandlerAdapter() {
                @Override
                public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
                    failures.add(cause);
                }
            });

    @AfterEach
    void release() {
        channel.finishAndReleaseAll();
    }

    /** Lines of a head are separated by backslashes. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            400 | GET / HTTP/1.1                                                            | Host: must be there once; there are 0
            400 | GET / HTTP/1.1\\Host: a\\Host: a                                            | Host: must be there once; there are 2
            400 | GET / HTTP/1.1\\Host: a\\host: b                                            | Host: must be there once; there are 2
            400 | GET / HTTP/1.0\\Host: a\\Host: b                                            | Host: must be there once; there are 2
            400 | GET / HTTP/1.1\\Host:                                                      | Host: must be a host name
            400 | GET / HTTP/1.1\\Host: a b                                                  | Host: must be a host name
            400 | GET / HTTP/1.1\\Host: a, b                                                 | Host: must be a host name
            400 | get / HTTP/1.1\\Host: a                                                    | must begin with a method
            400 | GET ? HTTP/1.1\\Host: a                                                    | must name a path
            400 | GET a:b HTTP/1.1\\Host: a                                                  | must name a path
            400 | CONNECT a:80 HTTP/1.1\\Host: a                                             | must name a path
            400 | GET / HTTP/1.1\\Host: a/b                                                  | Host: must be a host name
            400 | GET / HTTP/1.1\\Host: u@a                                                  | Host: must be a host name
            400 | GET / HTTP/2.0\\Host: a                                                    | HTTP/1.1 or HTTP/1.0
            400 | GET / HTTP/1.2\\Host: a                                                    | HTTP/1.1 or HTTP/1.0
            400 | POST / HTTP/1.1\\Host: a\\Transfer-Encoding: xchunked                       | Transfer-Encoding: must be chunked
            400 | POST / HTTP/1.1\\Host: a\\Transfer-Encoding: "chunked"                      | Transfer-Encoding: must be chunked
            400 | POST / HTTP/1.1\\Host: a\\Transfer-Encoding: chunked;x=y                    | Transfer-Encoding: must be chunked
            400 | POST / HTTP/1.1\\Host: a\\Transfer-Encoding:                                | Transfer-Encoding: must be chunked
            400 | POST / HTTP/1.1\\Host: a\\Transfer-Encoding: identity                       | Transfer-Encoding: must be chunked
            400 | POST / HTTP/1.1\\Host: a\\Transfer-Encoding: gzip, chunked                  | Transfer-Encoding: must be chunked
            400 | POST / HTTP/1.1\\Host: a\\Transfer-Encoding: chunked, chunked               | Transfer-Encoding: must be chunked
            400 | POST / HTTP/1.1\\Host: a\\Transfer-Encoding: chunked\\Transfer-Encoding: x   | Transfer-Encoding: must be chunked
            400 | POST / HTTP/1.1\\Host: a\\Transfer-Encoding: x\\Transfer-Encoding: chunked   | Transfer-Encoding: must be chunked
            400 | POST / HTTP/1.0\\Transfer-Encoding: chunked                               | malformed
            400 | POST / HTTP/1.1\\Host: a\\Transfer-Encoding: chunked\\Content-Length: 5      | malformed
            400 | POST / HTTP/1.1\\Host: a\\Content-Length: 5\\Content-Length: 6               | malformed
            400 | POST / HTTP/1.1\\Host: a\\Content-Length: -5                                | malformed
            400 | POST / HTTP/1.1\\Host: a\\Content-Length: x                                 | malformed
            400 | GET / HTTP/1.1\\Host : a                                                   | malformed
            400 | GET / HTTP/1.1\\Host: a\\no colon                                           | malformed
            400 | GET                                                                       | malformed
            """)
    void refusesByTheHead(int status, String lines, String sentence) {
        read(lines.replace("\\", "\r\n") + "\r\n\r\n" + NEXT);
        assertThat(refused()).startsWith(status + " ").contains(sentence);
    }

    @Test
    void refusesByLength() {
        read("GET /" + "a".repeat(2000) + " HTTP/1.1\r\nHost: a\r\n\r\n" + NEXT);
        assertThat(refused()).startsWith("414 The request line is too long: it may have 1024 bytes.");
    }

    @Test
    void refusesHeadersByTheirSum() {
        read("HEAD / HTTP/1.1\r\nHost: a\r\n" + "X-Some: some\r\n".repeat(200) + "\r\n" + NEXT);
        assertThat(refused()).startsWith("431 The headers are too large: together they may have 1024 bytes.");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET / HTTP/1.1\r\nHost: reports.example.com:8080\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: [::1]:8080\r\n\r\n",
                "GET http://a/ HTTP/1.1\r\nHost: a\r\n\r\n",
                "GET / HTTP/1.0\r\n\r\n",
                "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: Chunked\r\n\r\n2;x=y\r\n{}\r\n0\r\nTrailer: x\r\n\r\n",
                "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n{}"
            })
    void letsThroughWhatIsFramedWell(String message) {
        read(message + NEXT);
        assertThat(inbound()).last().isInstanceOf(LastHttpContent.class);
        answer();
        assertThat(inbound()).hasSize(2).last().isInstanceOf(LastHttpContent.class);
        assertThat(failures).isEmpty();
        assertThat(channel.isOpen()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ZZ\r\n",
                "0\n\n",
                "-1\r\n",
                "0x2\r\n{}\r\n",
                "\r\n",
                "2\r\n{}0\r\n\r\n",
                "2\r\n{}\n0\r\n\r\n",
                "2;x\n{}\r\n0\r\n\r\n",
                "ffffffffffffffff\r\n",
                "0\r\nno colon\r\n\r\n"
            })
    void failsABodyWhoseChunksAreMalformed(String chunks) {
        read(CHUNKED + chunks + NEXT);
        assertThat(failures).singleElement().isInstanceOf(ClosedChannelException.class);
        List<Object> inbound = inbound();
        assertThat(inbound).first().isInstanceOf(HttpRequest.class);
        assertThat(inbound.stream().skip(1)).allMatch(o -> o instanceof HttpContent && !(o instanceof LastHttpContent));
        answer();
        assertThat(written()).contains("HTTP/1.1 400 Bad Request\r\n", "connection: close\r\n");
        assertThat(channel.isOpen()).isFalse();
    }

    @Test
    void closesWithTheLastAnswerOnly() {
        read(NEXT + CHUNKED + "ZZ\r\n");
        assertThat(failures).isEmpty();
        answer();
        assertThat(written()).doesNotContain("connection: close");
        assertThat(channel.isOpen()).isTrue();
        assertThat(failures).singleElement().isInstanceOf(ClosedChannelException.class);
        answer();
        assertThat(written()).contains("connection: close\r\n");
        assertThat(channel.isOpen()).isFalse();
    }

    @Test
    void passesOnWhatComesTogetherOneByOne() {
        read(CHUNKED + "2\r\n{}\r\n0\r\n\r\n" + NEXT + NEXT);
        assertThat(inbound()).hasSize(3);
        answer();
        assertThat(inbound()).hasSize(2);
        assertThat(inbound()).isEmpty();
        answer();
        assertThat(inbound()).hasSize(2);
        answer();
        read(NEXT);
        assertThat(inbound()).hasSize(2);
    }

    /** An answer may come before the body has, which goes on all the same. */
    @Test
    void passesOnTheBodyOfWhatIsAnsweredAlready() {
        read(CHUNKED);
        answer();
        read("2\r\n{}\r\n0\r\n\r\n" + NEXT);
        assertThat(inbound()).hasSize(5);
    }

    @Test
    void takesAnInterimAnswerForNone() {
        read(CHUNKED);
        channel.writeOutbound(new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.CONTINUE));
        read("ZZ\r\n");
        assertThat(failures).singleElement().isInstanceOf(ClosedChannelException.class);
        assertThat(channel.isOpen()).isTrue();
        answer();
        assertThat(channel.isOpen()).isFalse();
    }

    @Test
    void closesWhereTheAnswerWentBeforeTheBodyBroke() {
        read(CHUNKED);
        answer();
        assertThat(channel.isOpen()).isTrue();
        read("ZZ\r\n");
        assertThat(failures).isEmpty();
        assertThat(channel.isOpen()).isFalse();
    }

    private void read(String bytes) {
        var unused = channel.writeOneInbound(Unpooled.copiedBuffer(bytes, StandardCharsets.ISO_8859_1));
    }

    private void answer() {
        var response = new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.BAD_REQUEST);
        response.headers().set("content-length", 0);
        channel.writeOutbound(response);
        channel.runPendingTasks();
    }

    /** Code and sentence; there is no other message. */
    private String refused() {
        List<Object> inbound = inbound();
        assertThat(inbound).singleElement().isInstanceOf(HttpRequest.class);
        HttpRequest request = (HttpRequest) inbound.getFirst();
        assertThat(request.protocolVersion()).isEqualTo(HttpVersion.HTTP_1_1);
        assertThat(request.decoderResult().cause()).isInstanceOf(RefusedMessageException.class);
        var refused = (RefusedMessageException) request.decoderResult().cause();
        return refused.code().status() + " " + refused.getMessage();
    }

    private List<Object> inbound() {
        List<Object> messages = new ArrayList<>();
        for (Object message = channel.readInbound(); message != null; message = channel.readInbound()) {
            messages.add(message);
            ReferenceCountUtil.release(message);
        }
        return messages;
    }

    private String written() {
        var text = new StringBuilder();
        for (ByteBuf bytes = channel.readOutbound(); bytes != null; bytes = channel.readOutbound()) {
            text.append(bytes.toString(StandardCharsets.ISO_8859_1));
            bytes.release();
        }
        return text.toString();
    }
}
