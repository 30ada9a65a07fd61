package millrace.bench.notifier;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpServerCodec;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Runs webhook receivers as a process, each with its own port. Argument: how many. The path of a
 * request decides the behaviour, see {@link ReceiverConnection}; commands arrive on standard input.
 */
public final class ReceiverProcess {
    public static final String SAYS = "receivers are at ";
    private static final int MAX_BODY = 1 << 20;
    /** Below the ports that operating systems use for outgoing connections. */
    private static final int LOW_PORT = 20_000;

    private final EventLoopGroup group = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    private final WebhookArrivals arrivals = new WebhookArrivals();
    private final ServerBootstrap bootstrap;

    private ReceiverProcess() {
        bootstrap = new ServerBootstrap()
                .group(group)
                .channel(NioServerSocketChannel.class)
                .childHandler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        channel.pipeline()
                                .addLast(new HttpServerCodec(), new HttpObjectAggregator(MAX_BODY))
                                .addLast(new ReceiverConnection(arrivals));
                    }
                });
    }

    /** The ports of the receivers; the last one refuses connections. */
    public static List<Integer> ports(String line) {
        return Arrays.stream(line.substring(line.indexOf(SAYS) + SAYS.length()).split(","))
                .map(Integer::valueOf)
                .toList();
    }

    @SuppressWarnings("SystemOut") // the parent reads it
    public static void main(String[] arguments) throws IOException {
        var receivers = new ReceiverProcess();
        String ports = IntStream.range(0, Integer.parseInt(arguments[0]))
                .map(i -> receivers.open())
                .mapToObj(Integer::toString)
                .collect(Collectors.joining(","));
        System.out.println(SAYS + ports + "," + freeLowPort());
        var commands = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = commands.readLine(); line != null; line = commands.readLine()) {
            System.out.println(receivers.obey(line));
        }
        receivers.group.shutdownGracefully().syncUninterruptibly();
    }

    private String obey(String line) throws IOException {
        if (line.equals("count")) {
            return arrivals.count();
        }
        if (line.equals("record")) {
            arrivals.record();
        } else if (line.equals("forget")) {
            arrivals.forgetTimes();
        } else if (line.startsWith("write ")) {
            arrivals.write(Path.of(line.substring("write ".length())));
        }
        return "done " + line;
    }

    private int open() {
        Channel server = bootstrap
                .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .syncUninterruptibly()
                .channel();
        return ((InetSocketAddress) server.localAddress()).getPort();
    }

    private static int freeLowPort() throws IOException {
        for (int port = LOW_PORT; ; port++) {
            try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                return socket.getLocalPort();
            } catch (java.net.BindException e) {
                // The port is taken.
            }
        }
    }
}
