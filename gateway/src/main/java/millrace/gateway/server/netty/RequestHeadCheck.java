package millrace.gateway.server.netty;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import io.netty.util.AsciiString;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import millrace.gateway.problems.ProblemCode;
import org.jspecify.annotations.Nullable;

/**
 * Checks the framing and the target in the head of a request, beyond what Netty's codec refuses
 * (RFC 9112, sections 2.3, 3.2 and 6.1).
 *
 * @param maxBytes of the request line, and of all headers together
 */
record RequestHeadCheck(int maxBytes) {
    /** As {@code uri-host [ ":" port ]} may be written. */
    private static final Pattern HOST =
            Pattern.compile("(?:\\[[0-9A-Fa-f:.]+]|[A-Za-z0-9._~!$&'()*+,;=%-]+)(?::[0-9]{0,5})?");

    /** Micronaut takes {@code get} for GET. */
    private static final Pattern METHOD = Pattern.compile("[A-Z][A-Z-]*");

    private static final Pattern TARGET = Pattern.compile("/|https?://|\\*$", Pattern.CASE_INSENSITIVE);

    private static final String KEY = "api-key";
    private static final String UNDERSCORED_KEY = "api_key";

    /** Headers that are read anywhere and have one value; {@code Host} is checked by itself. */
    private static final List<AsciiString> SINGLE = Stream.of(
                    "admin-key",
                    KEY,
                    UNDERSCORED_KEY,
                    "Authorization",
                    "Content-Type",
                    "Idempotency-Key",
                    "If-Modified-Since",
                    "If-Range",
                    "If-Unmodified-Since",
                    "Last-Event-ID",
                    "MCP-Protocol-Version",
                    "Origin",
                    "Range",
                    "X-Request-Id")
            .map(AsciiString::cached)
            .toList();

    /** Empty where the head is well-formed. */
    Optional<RefusedMessageException> fault(HttpRequest request) {
        if (request.decoderResult().isFailure()) {
            return Optional.of(undecoded(request.decoderResult().cause()));
        }
        HttpVersion version = request.protocolVersion();
        boolean old = version.equals(HttpVersion.HTTP_1_0);
        if (!old && !version.equals(HttpVersion.HTTP_1_1)) {
            return malformed("The request line must end with HTTP/1.1 or HTTP/1.0.");
        }
        if (!METHOD.matcher(request.method().name()).matches()) {
            return malformed("The request line must begin with a method, in capitals.");
        }
        if (!TARGET.matcher(request.uri()).lookingAt()) {
            return malformed("The request line must name a path, or a whole http or https address.");
        }
        List<String> hosts = request.headers().getAll(HttpHeaderNames.HOST);
        if (hosts.size() > 1 || (hosts.isEmpty() && !old)) {
            return malformed("Host: must be there once; there are " + hosts.size() + " of it.");
        }
        if (!hosts.isEmpty() && !HOST.matcher(hosts.getFirst()).matches()) {
            return malformed("Host: must be a host name or address, and a port where it is not the usual one.");
        }
        CharSequence ambiguous = ambiguous(request.headers());
        if (ambiguous != null) {
            return Optional.of(new RefusedMessageException(
                    ProblemCode.INVALID_REQUEST,
                    ambiguous + ": is there several times, with different values; send it once."));
        }
        List<String> codings = request.headers().getAll(HttpHeaderNames.TRANSFER_ENCODING);
        boolean chunked = codings.size() == 1
                && HttpHeaderValues.CHUNKED.contentEqualsIgnoreCase(
                        codings.getFirst().strip());
        return codings.isEmpty() || chunked
                ? Optional.empty()
                : malformed("Transfer-Encoding: must be chunked; no other is understood here.");
    }

    /** A header of one value that has two, of which somebody else may take the other one; null without one. */
    private static @Nullable CharSequence ambiguous(HttpHeaders headers) {
        for (AsciiString name : SINGLE) {
            Iterator<? extends CharSequence> values = headers.valueCharSequenceIterator(name);
            if (values.hasNext()) {
                CharSequence first = values.next();
                while (values.hasNext()) {
                    if (!AsciiString.contentEquals(first, values.next())) {
                        return name;
                    }
                }
            }
        }
        String key = headers.get(KEY);
        String underscored = headers.get(UNDERSCORED_KEY);
        return key != null && underscored != null && !key.equals(underscored) ? KEY : null;
    }

    private RefusedMessageException undecoded(Throwable cause) {
        return switch (cause) {
            case TooLongHttpLineException _ ->
                new RefusedMessageException(
                        ProblemCode.URI_TOO_LONG, "The request line is too long: it may have " + maxBytes + " bytes.");
            case TooLongHttpHeaderException _ ->
                new RefusedMessageException(
                        ProblemCode.HEADERS_TOO_LARGE,
                        "The headers are too large: together they may have " + maxBytes + " bytes.");
            default ->
                new RefusedMessageException(
                        ProblemCode.MALFORMED_MESSAGE,
                        "The request line, a header or a length in the headers is malformed.");
        };
    }

    private static Optional<RefusedMessageException> malformed(String sentence) {
        return Optional.of(new RefusedMessageException(ProblemCode.MALFORMED_MESSAGE, sentence));
    }
}
