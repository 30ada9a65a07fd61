package millrace.gateway.admin;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import millrace.catalog.Nearest;
import org.jspecify.annotations.Nullable;

/**
 * What was typed: words, and options {@code --name value} or {@code --name=value}.
 *
 * @param options without dashes
 */
record Typed(List<String> words, Map<String, String> options, boolean help) {
    static final Set<String> EVERYWHERE = Set.of("address", "key-file", "ca-file", "data");

    static Typed parse(String[] arguments) throws Wrong {
        List<String> words = new ArrayList<>();
        Map<String, String> options = new HashMap<>();
        boolean help = arguments.length == 0;
        for (int i = 0; i < arguments.length; i++) {
            String argument = arguments[i];
            int equals = argument.indexOf('=');
            if (argument.equals("--help") || argument.equals("-h")) {
                help = true;
            } else if (!argument.startsWith("--")) {
                words.add(argument);
            } else if (equals > 0) {
                options.put(argument.substring(2, equals), argument.substring(equals + 1));
            } else if (i + 1 < arguments.length) {
                options.put(argument.substring(2), arguments[++i]);
            } else {
                throw new Wrong(argument + " needs a value; try --help");
            }
        }
        return new Typed(words, options, help);
    }

    /** After the command, exactly as many words as are named, and no options but these. */
    Typed expect(String words, String... accepted) throws Wrong {
        List<String> named = words.isEmpty() ? List.of() : List.of(words.split(" ", -1));
        if (this.words.size() != named.size() + 1) {
            throw new Wrong(this.words.getFirst() + " needs "
                    + (named.isEmpty() ? "nothing more" : "<" + String.join("> <", named) + ">") + "; try --help");
        }
        List<String> known = new ArrayList<>(List.of(accepted));
        known.addAll(EVERYWHERE);
        for (String option : options.keySet()) {
            if (!known.contains(option)) {
                throw new Wrong("unknown option --" + option
                        + Nearest.suggestion(option, known).replace("mean ", "mean --") + "; try --help");
            }
        }
        return this;
    }

    /** The word after the command, counted from 1. */
    String word(int number) {
        return words.get(number);
    }

    /** As part of a path. */
    String part(int number) {
        return encoded(words.get(number));
    }

    static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    @Nullable
    String option(String name) {
        return options.get(name);
    }

    /** A number as a number, anything else as it is: the service says what is wrong with it. */
    @Nullable
    Object number(String name) {
        String text = options.get(name);
        return text == null ? null : asNumber(text);
    }

    static Object asNumber(String text) {
        return text.matches("-?[0-9]{1,18}") ? (Object) Long.valueOf(text) : text;
    }
}
