package io.millrace.client;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** What all libraries are tested with: the JSON of clients/testdata. */
final class TestData {
    private TestData() {}

    static Map<String, Object> scenarios() {
        return read("scenarios.json");
    }

    static List<Object> cases(String name) {
        return list(read(name), "cases");
    }

    private static Map<String, Object> read(String name) {
        try {
            return map(Json.read(Files.readString(Path.of("../testdata", name))));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @SuppressWarnings("unchecked")
    static Map<String, Object> map(Object json) {
        return (Map<String, Object>) json;
    }

    static Map<String, Object> map(Map<String, Object> json, String name) {
        return map(json.getOrDefault(name, Map.of()));
    }

    @SuppressWarnings("unchecked")
    static List<Object> list(Map<String, Object> json, String name) {
        return (List<Object>) json.get(name);
    }

    static String text(Map<String, Object> json, String name) {
        return (String) json.get(name);
    }

    static int number(Map<String, Object> json, String name, int otherwise) {
        return json.get(name) instanceof Number number ? number.intValue() : otherwise;
    }

    static List<String> texts(Map<String, Object> json, String name) {
        return json.get(name) == null
                ? List.of()
                : list(json, name).stream().map(String::valueOf).toList();
    }
}
