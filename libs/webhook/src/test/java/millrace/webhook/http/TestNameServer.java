package millrace.webhook.http;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** A name server on a real socket. Its answers must not be kept: their time to live is 0. */
final class TestNameServer implements AutoCloseable {
    /** The addresses of a name, at the nth time that its IPv4 addresses are asked for, from 1. */
    interface Zone {
        List<String> addresses(String name, int nth);
    }

    private static final int HEADER = 12;
    private static final int A = 1;
    private static final int AAAA = 28;

    private final DatagramSocket socket;
    private final Zone zone;
    final AtomicInteger lookups = new AtomicInteger();

    TestNameServer(Zone zone) throws SocketException {
        this.socket = new DatagramSocket(0, InetAddress.ofLiteral("127.0.0.1"));
        this.zone = zone;
        Thread.ofVirtual().start(this::serve);
    }

    InetSocketAddress address() {
        return new InetSocketAddress(socket.getLocalAddress(), socket.getLocalPort());
    }

    private void serve() {
        try {
            while (true) {
                var query = new DatagramPacket(new byte[512], 512);
                socket.receive(query);
                byte[] answer = answer(Arrays.copyOf(query.getData(), query.getLength()));
                socket.send(new DatagramPacket(answer, answer.length, query.getSocketAddress()));
            }
        } catch (IOException e) {
            lookups.get(); // closed: the test is over
        }
    }

    private byte[] answer(byte[] bytes) {
        ByteBuffer query = ByteBuffer.wrap(bytes);
        var name = new StringBuilder();
        query.position(HEADER);
        for (int length = query.get(); length > 0; length = query.get()) {
            byte[] label = new byte[length];
            query.get(label);
            name.append(name.isEmpty() ? "" : ".").append(new String(label, StandardCharsets.US_ASCII));
        }
        int type = query.getShort();
        int end = query.getShort() == 1 ? query.position() : query.limit();
        int nth = type == A ? lookups.incrementAndGet() : Math.max(1, lookups.get());
        List<byte[]> found = zone.addresses(name.toString(), nth).stream()
                .map(a -> InetAddress.ofLiteral(a).getAddress())
                .filter(a -> a.length == (type == AAAA ? 16 : 4))
                .toList();
        ByteBuffer answer = ByteBuffer.allocate(512)
                .put(bytes, 0, 2)
                .putShort((short) 0x8180)
                .putShort((short) 1)
                .putShort((short) found.size())
                .putInt(0)
                .put(bytes, HEADER, end - HEADER);
        for (byte[] address : found) {
            answer.putShort((short) 0xC00C)
                    .putShort((short) type)
                    .putShort((short) 1)
                    .putInt(0)
                    .putShort((short) address.length)
                    .put(address);
        }
        byte[] sent = new byte[answer.position()];
        answer.flip().get(sent);
        return sent;
    }

    @Override
    public void close() {
        socket.close();
    }
}
