package millrace.gateway.fuzz;

import java.util.List;

/** What is done to request lines and headers. */
final class HeadMutations {
    static final List<RequestMutation> ALL = List.of(
            new RequestMutation(
                    "method",
                    (d, dice) -> d.method = dice.of(
                            "GET",
                            "HEAD",
                            "POST",
                            "PUT",
                            "DELETE",
                            "PATCH",
                            "OPTIONS",
                            "TRACE",
                            "CONNECT",
                            "BREW",
                            "get",
                            "M-SEARCH")),
            new RequestMutation(
                    "method that is none", (d, dice) -> d.method = dice.of("", "G ET", "GET\0", "(GET)", "é")),
            new RequestMutation(
                    "path",
                    (d, dice) -> d.target = dice.of(
                            d.target + "/",
                            "/" + d.target,
                            d.target + "/more",
                            d.target.replace("/v3", "/v9"),
                            d.target + ";x=y",
                            d.target.replaceFirst("/", "/../"),
                            d.target + "%2F",
                            d.target.replace("batch", "b%61tch"),
                            "/",
                            "*",
                            "")),
            new RequestMutation(
                    "path that is none",
                    (d, dice) -> d.target = dice.of(
                            "/%zz",
                            "/%",
                            d.target + "%00",
                            d.target + "\0",
                            "a:b",
                            "//",
                            "///x",
                            "/\\",
                            d.target + "{}",
                            d.target + "|",
                            "http://",
                            "http://[",
                            "http://a" + d.target,
                            "/é",
                            "/v3/batch/💩",
                            d.target + "#part",
                            "?",
                            "/ /")),
            new RequestMutation(
                    "query",
                    (d, dice) -> d.target += dice.of(
                            "?",
                            "&",
                            "?a",
                            "?=",
                            "?a=%zz",
                            "&&&",
                            "?limit=1&limit=2",
                            "?a=\u0000",
                            "?a=é",
                            "?" + "a=b&".repeat(200),
                            "?cursor=" + "x".repeat(500),
                            "?a[]=1",
                            "?a=b?c=d",
                            "?min_sequence=9")),
            new RequestMutation("long line", (d, dice) -> d.target += "?" + "a".repeat(20_000)),
            new RequestMutation(
                    "version",
                    (d, dice) -> d.version = dice.of(
                            "HTTP/1.0",
                            "HTTP/1.2",
                            "HTTP/2.0",
                            "HTTP/0.9",
                            "HTTP/1",
                            "HTTP/11.1",
                            "http/1.1",
                            "FTP/1.1",
                            "",
                            "HTTP/1.1 x")),
            new RequestMutation("host", (d, dice) -> {
                d.drop("host");
                dice.of(
                                List.<String>of(),
                                List.of(""),
                                List.of("a", "b"),
                                List.of("a b"),
                                List.of("a:99999"),
                                List.of("[::1]"),
                                List.of("é"))
                        .forEach(host -> d.header("Host", host));
            }),
            new RequestMutation("key", (d, dice) -> {
                d.drop("api-key");
                d.drop("admin-key");
                dice.of(
                                List.<String>of(),
                                List.of("api-key: "),
                                List.of("api-key: wrong", "admin-key: wrong"),
                                List.of("Authorization: Bearer x"),
                                List.of("api-key: é", "admin-key: é"))
                        .forEach(d.headers::add);
            }),
            new RequestMutation(
                    "accept",
                    (d, dice) -> d.header(
                            dice.of("Accept", "Accept-Encoding", "Accept-Language", "Accept-Charset"),
                            dice.of(
                                    "text/html",
                                    "*/*",
                                    "a",
                                    "application/json;q=x",
                                    "",
                                    ",,,",
                                    "*",
                                    "gzip",
                                    "text/html;level=1, é"))),
            new RequestMutation(
                    "origin",
                    (d, dice) -> d.header(
                            "Origin",
                            dice.of(
                                    "https://evil.example",
                                    "null",
                                    "https://app.example.com",
                                    "x",
                                    "http://localhost",
                                    "é",
                                    ""))),
            new RequestMutation(
                    "expect", (d, dice) -> d.header("Expect", dice.of("100-continue", "x", "", "100-Continue"))),
            new RequestMutation("content type", (d, dice) -> {
                d.drop("content-type");
                d.header(
                        "Content-Type",
                        dice.of(
                                "text/plain",
                                "application/json; charset=utf-16",
                                "application/json;;",
                                "multipart/form-data",
                                "é",
                                "multipart/form-data; boundary=",
                                "multipart/mixed; boundary=x",
                                "application/x-www-form-urlencoded",
                                "a b",
                                "",
                                "*/*",
                                "application",
                                "application/json, text/plain",
                                "APPLICATION/JSON"));
            }),
            new RequestMutation(
                    "connection",
                    (d, dice) -> d.header(
                            "Connection",
                            dice.of("close", "keep-alive", "upgrade", "TE", "", "close, keep-alive", "host"))),
            new RequestMutation("upgrade", (d, dice) -> {
                d.header("Connection", "Upgrade, HTTP2-Settings");
                d.header("Upgrade", dice.of("h2c", "websocket", "TLS/1.0", "x"));
                d.header("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ==");
                d.header("Sec-WebSocket-Version", dice.of("13", "x"));
                d.header("HTTP2-Settings", dice.of("AAMAAABkAARAAAAAAAIAAAAA", "?"));
            }),
            new RequestMutation(
                    "preconditions",
                    (d, dice) -> d.header(
                            dice.of("Range", "If-Range", "If-None-Match", "If-Match", "If-Modified-Since"),
                            dice.of(
                                    "bytes=0-1",
                                    "bytes=-",
                                    "bytes=9-1",
                                    "bytes=0-1,3-4",
                                    "x",
                                    "*",
                                    "\"a\"",
                                    "bytes=99999999999999999999-"))),
            new RequestMutation(
                    "well-known header",
                    (d, dice) -> d.header(
                            dice.of(
                                    "Idempotency-Key",
                                    "traceparent",
                                    "Cookie",
                                    "Forwarded",
                                    "X-Forwarded-For",
                                    "X-Forwarded-Proto",
                                    "X-Forwarded-Host",
                                    "X-HTTP-Method-Override",
                                    "Max-Forwards",
                                    "Referer",
                                    "TE",
                                    "Trailer",
                                    "Via",
                                    "Access-Control-Request-Method",
                                    "Access-Control-Request-Headers",
                                    "Content-Language",
                                    "Date"),
                            dice.hostile().replaceAll("[\r\n\u0000]", ""))),
            new RequestMutation(
                    "header that is none",
                    (d, dice) -> d.headers.add(dice.of(
                            "no colon",
                            ": empty",
                            "a b: c",
                            "X-Nul: a\0b",
                            "X-Cr: a\rb",
                            " folded",
                            "X-Bell: \u0007",
                            "é: é",
                            "X-Long: 💩"))),
            new RequestMutation(
                    "large header", (d, dice) -> d.header("X-Large", "a".repeat(dice.of(8_000, 20_000, 100_000)))),
            new RequestMutation("many headers", (d, dice) -> {
                for (int i = dice.below(600); i >= 0; i--) {
                    d.header("X-" + i, "some");
                }
            }));

    private HeadMutations() {}
}
