package millrace.client.cli.output;

import java.io.PrintStream;
import java.util.function.Supplier;
import millrace.runtime.cli.TerminalText;
import org.jspecify.annotations.Nullable;

/** Says how to go on, where the command is interrupted with Ctrl-C. */
public final class Interruption implements AutoCloseable {
    private final PrintStream err;
    private final Thread hook = new Thread(this::say, "interruption");
    private volatile Supplier<@Nullable String> next = () -> null;

    public Interruption(PrintStream err) {
        this.err = err;
        Runtime.getRuntime().addShutdownHook(hook);
    }

    /** @param sentence what is under way and how to go on; null: nothing */
    public void next(@Nullable String sentence) {
        next = () -> sentence;
    }

    /** @param sentence asked for at that moment */
    public void next(Supplier<@Nullable String> sentence) {
        next = sentence;
    }

    @Override
    public void close() {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // The process ends: the hook runs.
        }
    }

    private void say() {
        String sentence = next.get();
        if (sentence != null) {
            err.println();
            err.println("millrace: interrupted. " + TerminalText.escaped(sentence));
        }
    }
}
