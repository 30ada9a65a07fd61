package io.millrace.client;

import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads JSON to maps, lists, texts, longs, doubles, booleans and null, and writes them. */
final class Json {
    private static final int DEEPEST = 500;
    private static final Pattern LITERAL =
            Pattern.compile("null|true|false|(-?(?:0|[1-9][0-9]*))(\\.[0-9]+)?([eE][+-]?[0-9]+)?");

    private final String text;
    private final Matcher literal;
    private int at;
    private int depth;

    private Json(String text) {
        this.text = text;
        this.literal = LITERAL.matcher(text);
    }

    /** @throws IllegalArgumentException where the text is not JSON */
    static Object read(String text) {
        var json = new Json(text);
        Object value = json.value();
        json.next();
        if (json.at < text.length()) {
            throw json.wrong();
        }
        return value;
    }

    private Object value() {
        return switch (next()) {
            case '{' -> map();
            case '[' -> list();
            case '"' -> string();
            default -> literal();
        };
    }

    private Map<String, Object> map() {
        Map<String, Object> map = new LinkedHashMap<>();
        begin();
        while (more('}', map.isEmpty())) {
            if (next() != '"') {
                throw wrong();
            }
            String name = string();
            if (next() != ':') {
                throw wrong();
            }
            at++;
            map.put(name, value());
        }
        return map;
    }

    private List<Object> list() {
        List<Object> list = new ArrayList<>();
        begin();
        while (more(']', list.isEmpty())) {
            list.add(value());
        }
        return list;
    }

    private void begin() {
        at++;
        if (++depth > DEEPEST) {
            throw wrong();
        }
    }

    /** Whether another element follows, before which there is a comma unless it is the first. */
    private boolean more(char end, boolean first) {
        char c = next();
        if (c == end) {
            at++;
            depth--;
            return false;
        }
        if (!first) {
            if (c != ',') {
                throw wrong();
            }
            at++;
        }
        return true;
    }

    private String string() {
        var string = new StringBuilder();
        for (at++; at < text.length(); at++) {
            char c = text.charAt(at);
            if (c == '"') {
                at++;
                return string.toString();
            } else if (c < ' ') {
                throw wrong();
            }
            string.append(c == '\\' ? escaped() : c);
        }
        throw wrong();
    }

    private char escaped() {
        int kind = ++at < text.length() ? "\"\\/bfnrtu".indexOf(text.charAt(at)) : -1;
        if (kind < 0) {
            throw wrong();
        }
        if (kind < 8) {
            return "\"\\/\b\f\n\r\t".charAt(kind);
        }
        at += 4;
        String hex = at < text.length() ? text.substring(at - 3, at + 1) : "";
        if (!hex.matches("[0-9a-fA-F]{4}")) {
            throw wrong();
        }
        return (char) Integer.parseInt(hex, 16);
    }

    private Object literal() {
        if (!literal.region(at, text.length()).lookingAt()) {
            throw wrong();
        }
        at = literal.end();
        String word = literal.group();
        switch (word) {
            case "null":
                return null;
            case "true", "false":
                return Boolean.valueOf(word);
            default:
                boolean whole = literal.group(2) == null && literal.group(3) == null && word.length() < 19;
                return whole ? (Object) Long.valueOf(word) : (Object) Double.valueOf(word);
        }
    }

    /** The next character that is no space, where the reader stays; 0 at the end. */
    private char next() {
        while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
        return at < text.length() ? text.charAt(at) : 0;
    }

    private IllegalArgumentException wrong() {
        return new IllegalArgumentException("not JSON at character " + at);
    }

    /** Other values than those of JSON are written as their text. */
    static String write(Object value) {
        var out = new StringBuilder();
        write(value, out);
        return out.toString();
    }

    private static void write(Object value, StringBuilder out) {
        if (value instanceof Map<?, ?> map) {
            out.append('{');
            map.forEach((name, one) -> {
                separate(out, '{');
                write(String.valueOf(name), out);
                out.append(':');
                write(one, out);
            });
            out.append('}');
        } else if (value instanceof Iterable<?> list) {
            out.append('[');
            list.forEach(one -> {
                separate(out, '[');
                write(one, out);
            });
            out.append(']');
        } else if (value != null && value.getClass().isArray()) {
            List<Object> list = new ArrayList<>();
            for (int i = 0; i < Array.getLength(value); i++) {
                list.add(Array.get(value, i));
            }
            write(list, out);
        } else if (value == null || value instanceof Number || value instanceof Boolean) {
            out.append(value);
        } else {
            out.append('"');
            for (char c : value.toString().toCharArray()) {
                if (c < ' ' || c == '"' || c == '\\' || Character.isSurrogate(c)) {
                    out.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
                } else {
                    out.append(c);
                }
            }
            out.append('"');
        }
    }

    private static void separate(StringBuilder out, char begin) {
        if (out.charAt(out.length() - 1) != begin) {
            out.append(',');
        }
    }

    /** An object of JSON, whose keys are texts. */
    @SuppressWarnings("unchecked")
    static Map<String, Object> object(Object json) {
        if (!(json instanceof Map)) {
            throw new IllegalArgumentException("not an object of JSON");
        }
        return (Map<String, Object>) json;
    }
}
