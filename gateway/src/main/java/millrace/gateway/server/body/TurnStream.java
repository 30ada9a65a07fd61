package millrace.gateway.server.body;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/**
 * A body as it is checked. It waits for up to 64 KiB of the body without the turn, and takes the
 * turn when they are there: a client that sends slowly holds none. A body that ends before is short
 * and needs no turn.
 */
final class TurnStream extends ChunkedStream {
    static final int AHEAD = 64 << 10;

    private final InputStream body;
    private final CpuTurns.Turn turn;
    private final byte[] buffer = new byte[AHEAD];
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
    protected byte[] nextChunk() throws IOException {
        turn.giveBack();
        int n = body.readNBytes(buffer, 0, AHEAD);
        isLong |= n == AHEAD;
        if (isLong) {
            turn.take();
        }
        return n == AHEAD ? buffer : Arrays.copyOf(buffer, n);
    }
}
