package millrace.webhook.http;

import io.netty.channel.ChannelException;
import io.netty.handler.codec.DecoderResult;
import io.netty.handler.codec.PrematureChannelClosureException;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import javax.net.ssl.SSLException;

/** Describes network errors in words, without the addresses in their messages. */
final class FailureReasons {
    static final String CLOSED = "the receiver closed the connection";
    private static final int MAX_LENGTH = 200;

    private FailureReasons() {}

    static String of(Throwable error) {
        for (Throwable e = error; e != null; e = e.getCause()) {
            if (e instanceof SSLException) {
                return "TLS failed, " + innermost(e);
            }
        }
        return switch (error) {
            case io.netty.channel.ConnectTimeoutException _ -> "the receiver did not take the connection in time";
            case NoRouteToHostException _ -> "there is no route to the receiver";
            case ConnectException _ -> "the connection was refused";
            case java.io.IOException _ -> "the connection broke";
            case ChannelException _ -> "the sender could not open a socket";
            default -> error.getClass().getSimpleName();
        };
    }

    /** The reason where the decoder cannot read an answer. */
    static String undecodable(DecoderResult result) {
        return switch (result.cause()) {
            case PrematureChannelClosureException _ -> CLOSED;
            case TooLongHttpHeaderException _ -> "the answer has more than 16 KiB of headers";
            case TooLongHttpLineException _ -> "the answer has a line of more than 4 KiB before its headers";
            case null, default -> "the answer is not HTTP/1.1";
        };
    }

    private static String innermost(Throwable error) {
        Throwable e = error;
        while (e.getCause() != null) {
            e = e.getCause();
        }
        String message = String.valueOf(e.getMessage()).replaceAll("\\s+", " ");
        return message.length() > MAX_LENGTH ? message.substring(0, MAX_LENGTH) : message;
    }
}
