package millrace.gateway.server.body;

import java.io.IOException;
import java.io.InputStream;
import millrace.files.BlockInputStream;

/**
 * A body as it is checked. It waits for up to 64 KiB of the body without the turn, and takes the
 * turn when they are there: a client that sends slowly holds none. A body that ends before is short
 * and needs no turn.
 */
final class TurnStream extends BlockInputStream {
    static final int AHEAD = 64 << 10;

    private final InputStream body;
    private final CpuTurns.Turn turn;
    private final byte[] buffer = new byte[AHEAD];
    private int at;
    private int end;
    private boolean isLong;

    /**
     * @param turn of a long body, is held when a read returns; the caller gives it back after the
     *     last one
     */
    TurnStream(InputStream body, CpuTurns.Turn turn) {
        this.body = body;
        this.turn = turn;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
        if (length == 0) {
            return 0;
        }
        if (at == end && !fill()) {
            return -1;
        }
        int n = Math.min(length, end - at);
        System.arraycopy(buffer, at, bytes, offset, n);
        at += n;
        return n;
    }

    private boolean fill() throws IOException {
        turn.giveBack();
        at = 0;
        end = 0;
        int n = body.readNBytes(buffer, 0, buffer.length);
        isLong |= n == buffer.length;
        if (isLong) {
            turn.take();
        }
        end = n;
        return n > 0;
    }
}
