package millrace.gateway.netty;

import io.netty.channel.Channel;
import millrace.gateway.settings.ConnectionSettings;

/** Puts the handlers of this package around the HTTP codec of a connection. */
public final class ConnectionHandlers {
    /** The last of them. */
    static final String FRAMING = "millrace-framing";

    private ConnectionHandlers() {}

    /**
     * On the connection's event loop, before anything is read. Where the gateway itself ends a connection in the middle of a body,
     * the client can still see the answer.
     *
     * @param codec the name of the HTTP codec in the pipeline
     */
    public static void addTo(Channel channel, String codec, ConnectionSettings settings) {
        var deadlines = new RequestDeadlines(channel, settings);
        channel.pipeline()
                .addBefore(codec, "millrace-bytes", deadlines.byteHandler())
                .addBefore(codec, "millrace-close", new LingeringCloseHandler(deadlines::receiving))
                .addAfter(codec, FRAMING, new MessageFramingHandler(new RequestHeadCheck(settings.maxHeaderBytes())))
                .addAfter(codec, "millrace-one-by-one", new SequentialRequestHandler())
                .addAfter(codec, "millrace-requests", deadlines.requestHandler());
    }
}
