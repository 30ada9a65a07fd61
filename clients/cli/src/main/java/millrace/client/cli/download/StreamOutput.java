package millrace.client.cli.download;

import java.io.PrintStream;
import millrace.client.cli.session.ExitCodes;
import millrace.runtime.cli.CliException;
import millrace.runtime.cli.CliRunner;

/** A download to the standard output, or to a device: what is written is gone, so it cannot begin again. */
public final class StreamOutput implements Download.Sink {
    private final PrintStream out;
    private final Checksum checksum = new Checksum();

    public StreamOutput(PrintStream out) {
        this.out = out;
    }

    @Override
    public long position() {
        return checksum.bytes();
    }

    @Override
    public void write(byte[] bytes, int n) throws CliException {
        out.write(bytes, 0, n);
        checksum.add(bytes, n);
        if (out.checkError()) {
            throw new CliException(ExitCodes.LOCAL, CliRunner.UNWRITTEN);
        }
    }

    @Override
    public boolean restart() {
        return false;
    }

    @Override
    public String sha256() {
        out.flush();
        return checksum.hex();
    }
}
