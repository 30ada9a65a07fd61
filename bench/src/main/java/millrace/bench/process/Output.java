package millrace.bench.process;

import java.util.Locale;

/** Prints figures. */
public final class Output {
    private Output() {}

    /** Prints a line, with numbers as in English. */
    @SuppressWarnings({"SystemOut", "AnnotateFormatMethod"})
    public static void print(String format, Object... values) {
        System.out.printf(Locale.ROOT, format + "%n", values);
    }
}
