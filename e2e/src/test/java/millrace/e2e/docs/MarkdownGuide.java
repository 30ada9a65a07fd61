package millrace.e2e.docs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The commands of a guide in Markdown. A program with a file's name, {@code python name.py}, is saved in that file. */
record MarkdownGuide(List<Command> commands) {
    private static final Pattern BLOCK =
            Pattern.compile("(?m)^```(sh|sh second-terminal|text|python (\\S+\\.py))\\n((?s:.*?))^```$");

    /**
     * Lines to type.
     *
     * @param secondTerminal whether they keep running while the next ones are typed
     * @param expected lines of the output; {@code …} stands for any text, alone on a line for any lines
     */
    record Command(String text, boolean secondTerminal, List<String> expected) {

        /** Whether the output has all expected lines, in order. */
        boolean fits(String output) {
            String pattern = expected.stream()
                    .map(line -> line.equals("…") ? "(.*\\n)*?" : line(line) + " *\\r?\\n")
                    .collect(Collectors.joining());
            return Pattern.compile("(?m)^" + pattern).matcher(output + "\n").find();
        }

        private static String line(String line) {
            return Pattern.compile("…")
                            .splitAsStream(line)
                            // Columns of tables may have other widths.
                            .map(text -> Pattern.quote(text).replaceAll(" +", "\\\\E +\\\\Q"))
                            .collect(Collectors.joining(".*"))
                    + (line.endsWith("…") ? ".*" : "");
        }
    }

    static MarkdownGuide read(Path markdown) throws IOException {
        List<Command> commands = new ArrayList<>();
        Matcher block = BLOCK.matcher(Files.readString(markdown));
        while (block.find()) {
            if (block.group(1).equals("text")) {
                Command last = commands.removeLast();
                commands.add(new Command(
                        last.text(),
                        last.secondTerminal(),
                        block.group(3).lines().toList()));
            } else if (block.group(2) != null) {
                String save = "cat > " + block.group(2) + " <<'END'\n" + block.group(3) + "END\n";
                commands.add(new Command(save, false, List.of()));
            } else {
                commands.add(new Command(block.group(3), block.group(1).endsWith("terminal"), List.of()));
            }
        }
        return new MarkdownGuide(commands);
    }
}
