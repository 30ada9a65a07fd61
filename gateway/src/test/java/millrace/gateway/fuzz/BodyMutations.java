package millrace.gateway.fuzz;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.zip.GZIPOutputStream;

/** What is done to bodies and their framing. */
final class BodyMutations {
    static final List<RequestMutation> ALL = List.of(
            new RequestMutation("no body", (d, dice) -> d.body = new byte[0]),
            new RequestMutation("random body", (d, dice) -> d.body = dice.bytes(1 + dice.below(300))),
            new RequestMutation("half a body", (d, dice) -> d.body = Arrays.copyOf(d.body, d.body.length / 2)),
            new RequestMutation(
                    "more body", (d, dice) -> d.body = joined(d.body, text(dice.of("{}", "x", "\0", "\n\n", "]")))),
            new RequestMutation(
                    "other text",
                    (d, dice) -> d.body = text(dice.of(
                            "[".repeat(3000),
                            "{\"a\":".repeat(1500),
                            "nul",
                            "\"",
                            "{\"a\":1,\"a\":2}",
                            "\uFEFF{}",
                            "{\"a\":1e999999}",
                            "{\"limit\":" + "9".repeat(2000) + "}",
                            "// x",
                            "<a/>",
                            "a=b",
                            "{\"\\ud800\":1}"))),
            new RequestMutation("flipped bytes", (d, dice) -> {
                byte[] body = d.body.clone();
                for (int i = dice.below(4); i >= 0 && body.length > 0; i--) {
                    body[dice.below(body.length)] = (byte) dice.below(256);
                }
                d.body = body;
            }),
            new RequestMutation(
                    "large body", (d, dice) -> d.body = joined(d.body, text(" ".repeat(dice.of(70_000, 1 << 20))))),
            new RequestMutation("form", (d, dice) -> {
                d.drop("content-type");
                d.header("Content-Type", "multipart/form-data; boundary=x");
                d.body = form(dice, d.body);
            }),
            new RequestMutation("gzip", (d, dice) -> {
                d.header("Content-Encoding", dice.of("gzip", "GZIP", "x-gzip"));
                d.body = packed(d.body);
            }),
            new RequestMutation("broken gzip", (d, dice) -> {
                d.header("Content-Encoding", "gzip");
                byte[] packed = packed(d.body);
                packed[dice.below(packed.length)] ^= (byte) (1 + dice.below(255));
                d.body = dice.percent(50) ? packed : Arrays.copyOf(packed, dice.below(packed.length));
            }),
            new RequestMutation(
                    "content coding",
                    (d, dice) -> d.header(
                            "Content-Encoding",
                            dice.of(
                                    "deflate",
                                    "br",
                                    "zstd",
                                    "snappy",
                                    "identity",
                                    "",
                                    "gzip, gzip",
                                    "x",
                                    "é",
                                    "compress"))),
            new RequestMutation(
                    "chunked", (d, dice) -> chunked(d, dice.of("1", "01;a=b", "1;q=\"\\\"\"", "1;a"), "0\r\n\r\n")),
            RequestMutation.cutting(
                    "chunked wrongly",
                    (d, dice) -> chunked(
                            d,
                            dice.of("ZZ", "-1", "0x1", "", " 1", "1 ", "ffffffffffffffff", "1;\n", "7fffffff"),
                            dice.of(
                                    "0\r\n\r\n",
                                    "0\n\n",
                                    "ZZ\r\n",
                                    "",
                                    "0\r\nno colon\r\n\r\n",
                                    "0\r\nContent-Length: 9\r\n\r\n",
                                    "0\r\n"))),
            RequestMutation.cutting("transfer coding", (d, dice) -> {
                d.framed = true;
                d.header(
                        "Transfer-Encoding",
                        dice.of(
                                "xchunked",
                                "\"chunked\"",
                                "chunked;x=y",
                                "identity",
                                "gzip, chunked",
                                "chunked, chunked",
                                "",
                                "é"));
            }),
            RequestMutation.cutting("two lengths", (d, dice) -> {
                d.framed = true;
                d.header("Content-Length", Integer.toString(d.body.length));
                d.headers.add(
                        dice.of("Transfer-Encoding: chunked", "Content-Length: 3", "content-length: " + d.body.length));
            }),
            RequestMutation.cutting("length", (d, dice) -> {
                d.framed = true;
                d.header(
                        "Content-Length",
                        dice.of(
                                "0",
                                "1",
                                "-1",
                                "x",
                                "",
                                "+5",
                                "5,5",
                                "0x5",
                                "99999999999999999999",
                                "9223372036854775807",
                                Integer.toString(d.body.length + 5),
                                "1e2",
                                " ",
                                "4294967296"));
            }));

    private BodyMutations() {}

    /** The first chunk with a size as it is given, which may be wrong, the rest as one chunk. */
    private static void chunked(RequestDraft draft, String size, String end) {
        int first = Math.min(draft.body.length, 1);
        var out = new ByteArrayOutputStream();
        if (first > 0) {
            out.writeBytes(text(size + "\r\n"));
            out.write(draft.body, 0, first);
            out.writeBytes(text("\r\n"));
        }
        if (draft.body.length > first) {
            out.writeBytes(text(Integer.toHexString(draft.body.length - first) + "\r\n"));
            out.write(draft.body, first, draft.body.length - first);
            out.writeBytes(text("\r\n"));
        }
        out.writeBytes(text(end));
        draft.framed = true;
        draft.header("Transfer-Encoding", "chunked");
        draft.body = out.toByteArray();
    }

    private static byte[] form(SeededRandom dice, byte[] json) {
        String head = "--x\r\nContent-Disposition: form-data; name=\"request\"; filename=\"r.json\"\r\nContent-Type: ";
        String type =
                dice.of("application/json", "text/plain", "multipart/mixed", "multipart/mixed; boundary=y", "é", "");
        String end = dice.of("\r\n--x--\r\n", "\r\n--x--\r\n", "", "\r\n--x\r\n", "--x--", "\r\n--x\r\n" + head);
        return joined(joined(text(head + type + "\r\n\r\n"), json), text(end));
    }

    private static byte[] packed(byte[] bytes) {
        var out = new ByteArrayOutputStream();
        try (var gzip = new GZIPOutputStream(out)) {
            gzip.write(bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return out.toByteArray();
    }

    private static byte[] joined(byte[] a, byte[] b) {
        byte[] both = Arrays.copyOf(a, a.length + b.length);
        System.arraycopy(b, 0, both, a.length, b.length);
        return both;
    }

    private static byte[] text(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
