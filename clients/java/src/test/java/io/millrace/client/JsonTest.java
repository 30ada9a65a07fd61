package io.millrace.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.LocalDate;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonTest {
    @Test
    void readsEveryKindOfValue() {
        assertEquals(
                Arrays.asList(null, true, false, 0L, -12L, 1.5, -2e-3, 1e22, "", List.of(), Map.of()),
                Json.read(" [null,true , false,0,-12,1.5,-2E-3,10000000000000000000000,\"\",[ ],{ }]\n"));
        assertEquals(999999999999999999L, Json.read("999999999999999999"));
        assertEquals(Map.of("a", List.of(Map.of("b", "c"))), Json.read("{\"a\" :\t[ {\"b\":\"c\"} ] }"));
        assertEquals("\"\\/\b\f\n\r\té😀ü", Json.read("\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\\ud83d\\uDE00ü\""));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "{",
                "[",
                "[1",
                "[1,",
                "[1,]",
                "[,1]",
                "[1 2]",
                "{\"a\"}",
                "{\"a\":}",
                "{\"a\":1,}",
                "{a:1}",
                "{1:2}",
                "{\"a\":1 \"b\":2}",
                "\"",
                "\"\\",
                "\"\\x\"",
                "\"\\u12\"",
                "\"\\u12g4\"",
                "\"\n\"",
                "01",
                "1.",
                ".5",
                "+1",
                "-",
                "1e",
                "nul",
                "True",
                "NaN",
                "1 2",
                "[]]",
                "{}x",
                "<html>",
                "[}",
                "{]"
            })
    void refusesWhatIsNotJson(String text) {
        assertThrows(IllegalArgumentException.class, () -> Json.read(text));
    }

    @Test
    void refusesWhatIsTooDeep() {
        assertEquals(1, ((List<?>) Json.read("[".repeat(500) + "]".repeat(500))).size());
        assertThrows(IllegalArgumentException.class, () -> Json.read("[".repeat(100_000)));
        assertEquals(600, ((List<?>) Json.read("[" + "[],".repeat(599) + "{}]")).size());
    }

    @Test
    void writesWhatRequestsAreMadeOf() {
        Map<String, Object> request = new LinkedHashMap<>();
        request.put("domains", new String[] {"a", "b"});
        request.put("limit", 5);
        request.put("share", 0.5);
        request.put("subdomains", true);
        request.put("start_date", LocalDate.of(2026, 8, 1));
        request.put("nothing", null);
        request.put("empty", List.of(Map.of(), new int[0], ""));
        request.put("quote", "\"\\\n\u0000ü");
        assertEquals(
                "{\"domains\":[\"a\",\"b\"],\"limit\":5,\"share\":0.5,\"subdomains\":true,\"start_date\":\"2026-08-01\",\"nothing\":null,"
                        + "\"empty\":[{},[],\"\"],\"quote\":\"\\u0022\\u005c\\u000a\\u0000ü\"}",
                Json.write(request));
    }

    @Test
    void readsWhatItWrote() {
        var random = new Random(5);
        for (int i = 0; i < 2000; i++) {
            Object value = value(random, 4);
            assertEquals(value, Json.read(Json.write(value)));
        }
    }

    private static Object value(Random random, int deep) {
        return switch (random.nextInt(deep > 0 ? 7 : 5)) {
            case 0 -> random.nextLong(-999_999_999_999L, 999_999_999_999L);
            case 1 -> random.nextDouble() * Math.pow(10, random.nextInt(-300, 300));
            case 2 -> random.nextBoolean();
            case 3 -> null;
            case 4 -> text(random);
            case 5 ->
                random.ints(random.nextInt(4))
                        .mapToObj(i -> value(random, deep - 1))
                        .collect(java.util.stream.Collectors.toList());
            default -> {
                Map<String, Object> map = new LinkedHashMap<>();
                for (int i = random.nextInt(4); i > 0; i--) {
                    map.put(text(random), value(random, deep - 1));
                }
                yield map;
            }
        };
    }

    private static String text(Random random) {
        return random.ints(random.nextInt(12), 0, 0x11000)
                .map(c -> Character.isSurrogate((char) c) && c < 0x10000 ? 'x' : c)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }
}
