package millrace.gateway.fuzz;

import java.util.List;
import java.util.Random;

/** What one seed decides. */
final class SeededRandom {
    private final Random random;

    SeededRandom(long seed) {
        random = new Random(seed);
    }

    boolean percent(int chance) {
        return random.nextInt(100) < chance;
    }

    /** From 0 on, below the bound. */
    int below(int bound) {
        return random.nextInt(bound);
    }

    long number() {
        return random.nextLong();
    }

    @SafeVarargs
    @SuppressWarnings("varargs") // only read
    final <T> T of(T... choices) {
        return choices[random.nextInt(choices.length)];
    }

    <T> T of(List<T> choices) {
        return choices.get(random.nextInt(choices.size()));
    }

    byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }

    /** Text that nobody expects. */
    String hostile() {
        return of(
                "",
                " ",
                "\u0000",
                "\ud800",
                "\udc00x",
                "\uFEFF",
                "\u202Eabc",
                "💩",
                "é",
                "'\"><script>",
                "../../etc/passwd",
                "%00",
                "%",
                "%zz",
                "${x}",
                "a\r\nX-More: 1",
                "\t",
                "null",
                "true",
                "-1",
                "0",
                "1e999",
                "NaN",
                "9".repeat(30),
                "a".repeat(300),
                "[]",
                "{}",
                "+292278995-01-01T00:00:00Z",
                "-999999999-01-01T00:00:00Z",
                "2025-02-30",
                "2025-01-01T00:00:00Z",
                "00000000-0000-0000-0000-000000000000",
                "a,b,,c",
                "|",
                "ep_",
                "*",
                "#");
    }
}
