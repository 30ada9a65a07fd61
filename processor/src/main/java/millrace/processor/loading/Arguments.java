package millrace.processor.loading;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import millrace.catalog.Nearest;

/**
 * A command line of words and options: {@code --name value}, {@code --name=value}, {@code --flag}, and words that belong to none.
 *
 * @param options without dashes; a flag has the value {@code true}
 */
record Arguments(List<String> words, Map<String, String> options) {

    /** An argument that is not known. The message is one line for a person. */
    static final class Wrong extends Exception {
        private static final long serialVersionUID = 1;

        Wrong(String message) {
            super(message);
        }
    }

    /**
     * @param valued names of options with a value
     * @param flags names of options without
     */
    static Arguments parse(String[] arguments, Set<String> valued, Set<String> flags) throws Wrong {
        List<String> words = new ArrayList<>();
        Map<String, String> options = new LinkedHashMap<>();
        for (int i = 0; i < arguments.length; i++) {
            String argument = arguments[i].equals("-h") ? "--help" : arguments[i];
            if (!argument.startsWith("-") || argument.equals("-")) {
                words.add(argument);
                continue;
            }
            int equals = argument.indexOf('=');
            String name = argument.substring(0, equals < 0 ? argument.length() : equals)
                    .replaceFirst("^--", "");
            if (flags.contains(name) && equals < 0) {
                options.put(name, "true");
            } else if (valued.contains(name) && (equals >= 0 || i + 1 < arguments.length)) {
                options.put(name, equals >= 0 ? argument.substring(equals + 1) : arguments[++i]);
            } else if (valued.contains(name)) {
                throw new Wrong("--" + name + " needs a value; try --help");
            } else {
                List<String> known = new ArrayList<>(valued);
                known.addAll(flags);
                throw new Wrong("unknown option " + argument
                        + Nearest.suggestion(name, known).replace("mean ", "mean --") + "; try --help");
            }
        }
        return new Arguments(words, options);
    }

    boolean flag(String name) {
        return options.containsKey(name);
    }

    Optional<String> option(String name) {
        return Optional.ofNullable(options.get(name));
    }
}
