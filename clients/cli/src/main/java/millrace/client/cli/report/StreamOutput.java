package millrace.client.cli.report;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import millrace.runtime.cli.CliRunner;

/** The standard output, or a device. Writing fails when what was written is lost. */
final class StreamOutput extends OutputStream {
    private final PrintStream out;

    StreamOutput(PrintStream out) {
        this.out = out;
    }

    @Override
    public void write(int b) throws IOException {
        write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int from, int length) throws IOException {
        out.write(bytes, from, length);
        if (out.checkError()) {
            throw new IOException(CliRunner.UNWRITTEN);
        }
    }
}
