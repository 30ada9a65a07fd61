package millrace.bench.process;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Measures what a process needs of its heap. */
public final class LiveHeap {
    private static final Pattern USED = Pattern.compile("used (\\d+)K");

    private LiveHeap() {}

    /** Live bytes of a process' heap after a full collection. */
    public static long bytes(ChildProcess process) throws IOException, InterruptedException {
        ask(process, "GC.run");
        String heap = ask(process, "GC.heap_info");
        Matcher used = USED.matcher(heap);
        if (!used.find()) {
            throw new IllegalStateException("no size of the heap: " + heap);
        }
        return Long.parseLong(used.group(1)) << 10;
    }

    private static String ask(ChildProcess process, String what) throws IOException, InterruptedException {
        Path jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd");
        Process asked = new ProcessBuilder(List.of(jcmd.toString(), Long.toString(process.pid()), what))
                .redirectErrorStream(true)
                .start();
        String answer = new String(asked.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        asked.waitFor();
        return answer;
    }
}
