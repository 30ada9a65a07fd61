package millrace.gateway.server.netty;

import io.netty.channel.Channel;
import millrace.gateway.settings.ConnectionSettings;

/** Adds the handlers of this package to the pipeline of a connection. */
final class ConnectionHandlers {
    /** Name of the handler that is last behind the codec. */
    static final String FRAMING = "millrace-framing";

    private ConnectionHandlers() {}

    /**
     * Must be called on the connection's event loop before anything is read. Clients can read the
     * response where the gateway ends a connection in the middle of a body.
     *
     * @param codec the name of the HTTP codec in the pipeline
     */
    public static void addTo(Channel channel, String codec, ConnectionSettings settings) {
        var deadlines = new RequestDeadlines(channel, settings);
        channel.pipeline()
                .addBefore(codec, "millrace-bytes", deadlines.byteHandler())
                .addBefore(codec, "millrace-close", new LingeringCloseHandler(deadlines::receiving))
                .addAfter(codec, FRAMING, new MessageFramingHandler(new RequestHeadCheck(settings.maxHeaderBytes())))
                .addAfter(codec, "millrace-http-1.0", new Http10Handler())
                .addAfter(codec, "millrace-one-by-one", new SequentialRequestHandler())
                .addAfter(codec, "millrace-requests", deadlines.requestHandler());
    }
}
