package millrace.processor.warehouse;

import java.time.LocalDate;

/** Rows of which a test overrides what is read; the rest is never asked for. */
public class StubRows implements RowStream {
    @Override
    public boolean next() {
        throw new IllegalStateException();
    }

    @Override
    public boolean absent(int column) {
        throw new IllegalStateException();
    }

    @Override
    public String text(int column) {
        throw new IllegalStateException();
    }

    @Override
    public LocalDate date(int column) {
        throw new IllegalStateException();
    }

    @Override
    public long integer(int column) {
        throw new IllegalStateException();
    }

    @Override
    public double number(int column) {
        throw new IllegalStateException();
    }

    @Override
    public void cancel() {}

    @Override
    public void close() {}
}
