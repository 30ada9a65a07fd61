package millrace.runtime.cli;

import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** Says {@code --from} where a service says {@code start_date}: in the words of whoever typed the command. */
public final class TypedNames {
    /** What fields are called that are not called as their options. */
    private static final Map<String, String> OTHERS = Map.ofEntries(
            Map.entry("start_date", "--from"),
            Map.entry("end_date", "--to"),
            Map.entry("window_size", "--window"),
            Map.entry("tags", "--tag"),
            Map.entry("response_format", "--format"),
            Map.entry("expires_at", "--expires"),
            Map.entry("group_by", "--by"),
            Map.entry("report_id", "--report"),
            Map.entry("states", "--state"),
            Map.entry("webhook_url", "<url>"),
            Map.entry("amount", "<credits>"),
            Map.entry("grant_id", "--id"),
            Map.entry("expiry_id", "--id"));

    /** A field that a sentence begins with, or one of several words; what is in quotes was a value. */
    private static final Pattern NAME =
            Pattern.compile("\"[^\"]*\"|^[a-z_]+(?=(?:\\.\\S+)?: )|\\b[a-z]+(?:_[a-z]+)+\\b");

    private TypedNames() {}

    /** @param command what was typed */
    public static String in(String sentence, CommandSpec command) {
        if (sentence.startsWith("body: ")) {
            return sentence; // about a name that was typed as the service calls it
        }
        return NAME.matcher(sentence).replaceAll(name -> Matcher.quoteReplacement(typed(name.group(), command)));
    }

    private static String typed(String field, CommandSpec command) {
        ParseResult given = command.commandLine().getParseResult();
        // Of a request in a file the file's names are the ones that somebody wrote.
        boolean ofFile = given != null && given.hasMatchedOption("--request");
        return Stream.of(
                        "--" + field.replace('_', '-'),
                        "<" + field.replace('_', ' ') + ">",
                        OTHERS.getOrDefault(field, field))
                .filter(name -> command.optionsMap().containsKey(name)
                        || command.positionalParameters().stream()
                                .anyMatch(p -> p.paramLabel().startsWith(name)))
                .filter(name -> !ofFile || given.hasMatchedOption(name))
                .findFirst()
                .orElse(field);
    }
}
