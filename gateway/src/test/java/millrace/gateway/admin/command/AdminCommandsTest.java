package millrace.gateway.admin.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import millrace.gateway.api.documents.OpenApi;
import millrace.runtime.cli.CliRunner;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is typed is what the document of the admin API has. */
class AdminCommandsTest {
    private static final JsonNode DOCUMENT = OpenApi.adminDocument();

    @ParameterizedTest
    @ValueSource(
            strings = {
                "accounts",
                "account acme",
                "create acme --name Acme --credits 5 --monthly-credits 7 --countries US --from 2025-01-01 --to 2025-12-31",
                "rename acme Acme",
                "suspend acme --reason unpaid",
                "resume acme",
                "close acme --reason x",
                "issue-key acme rest --expires 2027-01-31",
                "issue-key acme batch --label jobs --dialect original --expires 2027-01-31T00:00:00Z --scopes read,request",
                "change-key acme key_1 --label jobs --expires never --scopes all --reason x",
                "revoke-key acme key_1",
                "grant acme 5 --id g-1 --reason sale",
                "expire acme all --id x-1",
                "credits acme --limit 5",
                "monthly acme 5",
                "monthly acme none",
                "entitle acme --countries US --from 2025-01-01 --to 2025-12-31 --categories app_data --reason x",
                "limits acme --requests-per-second 5 --open-reports 6 --history-days 90",
                "rotate-secret acme --overlap 1h",
                "audit acme",
            })
    void areOperationsOfTheDocument(String line) {
        var requests = new ArrayList<AdminRequest>();
        var commands = new AdminCommands(request -> {
            requests.add(request);
            return 0;
        });
        assertThat(CliRunner.run(commands, line.split(" ", -1), System.out, System.err))
                .isZero();
        AdminRequest request = requests.getFirst();
        JsonNode operation = operation(request);
        JsonNode schema = resolved(operation.at("/requestBody"))
                .path("content")
                .path("application/json")
                .path("schema");
        JsonNode fields = resolved(schema);
        for (String field : request.body().keySet()) {
            assertThat(fields.path("properties").has(field) || fields.has("propertyNames"))
                    .as("%s of %s", field, line)
                    .isTrue();
        }
    }

    /** The account is changed all the same, and a new key would be lost for ever. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            account acme          | {"id":"acme"}                                     |
            grant acme 5          | {"id":"g-1"}                                      | what was asked for is done
            issue-key acme batch  | {"key":"k","details":{"id":"key_1"}}              | nobody has seen the new key; revoke it, and make another one: millrace admin revoke-key acme key_1
            create acme --name A  | {"account":{"id":"acme"},"webhook_secret":"s"}    | nobody has seen the new webhook secret; make another one: millrace admin rotate-secret acme
            rotate-secret acme    | {"id":"1","secret":"s","webhook_secrets":[]}      | nobody has seen the new webhook secret; make another one: millrace admin rotate-secret acme
            """)
    void sayThatTheAnswerIsLost(String line, String answer, @Nullable String next) throws IOException {
        var full = new PrintStream(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8);
        full.close();
        Printed printed = run(line, 200, answer, full);
        assertThat(printed.code()).isEqualTo(3);
        String name = "millrace admin " + line.split(" ", -1)[0] + ": ";
        assertThat(printed.err())
                .isEqualTo(name + CliRunner.UNWRITTEN + "\n" + (next == null ? "" : name + next + "\n"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            issue-key acme batch --expires 2020-01-31 | expires_at: must be a time in the future.   | --expires: must be a time in the future.
            grant acme x                              | amount: must be a whole number.             | <credits>: must be a whole number.
            limits acme --open-reports x              | open_reports: must be a whole number.       | --open-reports: must be a whole number.
            account nobody                            | There is no account nobody.                 | There is no account nobody.
            """)
    void refuseInTheWordsThatWereTyped(String line, String sentence, String shown) throws IOException {
        String answer = "{\"code\":\"invalid_request\",\"request_id\":\"req-1\",\"errors\":[\"" + sentence + "\"]}";
        Printed printed = run(line, 400, answer, System.out);
        assertThat(printed.code()).isEqualTo(1);
        String name = "millrace admin " + line.split(" ", -1)[0] + ": ";
        assertThat(printed.err()).isEqualTo(name + shown + "\n" + name + "(code invalid_request, request id req-1)\n");
    }

    /** What is printed of each page is the progress. */
    @Test
    void erasesTheReportsOfAClosedAccountPageByPage() throws IOException {
        List<String> asked = new ArrayList<>();
        var pages = new ArrayDeque<>(List.of(
                "{\"id\":\"acme\",\"status\":\"closed\"}",
                "{\"erased\":1000,\"next_cursor\":\"c1\"}",
                "{\"erased\":7}"));
        HttpServer service = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        service.createContext("/", exchange -> {
            asked.add(exchange.getRequestMethod() + " " + exchange.getRequestURI());
            byte[] body = pages.remove().getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        service.start();
        var out = new ByteArrayOutputStream();
        int code = AdminMain.run(
                ("close acme --erase-reports --address http://127.0.0.1:"
                                + service.getAddress().getPort())
                        .split(" "),
                Map.of(AdminAddress.KEY, "k"),
                new PrintStream(out, true, StandardCharsets.UTF_8),
                System.err);
        service.stop(0);
        assertThat(code).isZero();
        assertThat(asked)
                .containsExactly(
                        "POST /admin/v1/accounts/acme/close",
                        "DELETE /admin/v1/accounts/acme/reports",
                        "DELETE /admin/v1/accounts/acme/reports?cursor=c1");
        assertThat(out.toString(StandardCharsets.UTF_8)).contains("1000", "7");
    }

    /** As the commands of clients are. */
    @Test
    void aServiceFarAwayIsAskedByWayOfTheProxy() throws IOException {
        List<String> asked = new ArrayList<>();
        HttpServer proxy = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        proxy.createContext("/", exchange -> {
            asked.add(exchange.getRequestMethod() + " " + exchange.getRequestURI());
            byte[] body = "{\"id\":\"acme\"}".getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        proxy.start();
        var err = new ByteArrayOutputStream();
        String[] line = "account acme --address http://admin.invalid".split(" ");
        String address = "http://127.0.0.1:" + proxy.getAddress().getPort();
        int code = AdminMain.run(
                line,
                Map.of(AdminAddress.KEY, "k", "HTTP_PROXY", address),
                System.out,
                new PrintStream(err, true, StandardCharsets.UTF_8));
        proxy.stop(0);
        assertThat(code).as(err.toString(StandardCharsets.UTF_8)).isZero();
        assertThat(asked).containsExactly("GET http://admin.invalid/admin/v1/accounts/acme");
        assertThat(AdminMain.run(
                        line,
                        Map.of(AdminAddress.KEY, "k", "HTTP_PROXY", address),
                        System.out,
                        new PrintStream(err, true, StandardCharsets.UTF_8)))
                .isEqualTo(2);
        assertThat(err.toString(StandardCharsets.UTF_8))
                .contains("http://admin.invalid, by way of the proxy " + address.substring(7) + " (HTTP_PROXY)");
    }

    private record Printed(int code, String err) {}

    /** With a service that has this answer. */
    private static Printed run(String line, int status, String answer, PrintStream out) throws IOException {
        HttpServer service = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        service.createContext("/", exchange -> {
            byte[] body = answer.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(status, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        service.start();
        var err = new ByteArrayOutputStream();
        int code = AdminMain.run(
                (line + " --address http://127.0.0.1:" + service.getAddress().getPort()).split(" +"),
                Map.of(AdminAddress.KEY, "k"),
                out,
                new PrintStream(err, true, StandardCharsets.UTF_8));
        service.stop(0);
        return new Printed(code, err.toString(StandardCharsets.UTF_8));
    }

    private static JsonNode operation(AdminRequest request) {
        String path = request.path().replaceAll("[?].*", "");
        return DOCUMENT.path("paths").properties().stream()
                .filter(p -> Pattern.matches(p.getKey().replaceAll("\\{[a-z]+}", "[^/]+"), path))
                .map(Map.Entry::getValue)
                .filter(p -> p.has(request.method().toLowerCase(Locale.ROOT)))
                .map(p -> p.path(request.method().toLowerCase(Locale.ROOT)))
                .findFirst()
                .orElseThrow(() -> new AssertionError(request + " is not in the document"));
    }

    private static JsonNode resolved(JsonNode node) {
        String to = node.path("$ref").asText();
        return to.isEmpty() ? node : DOCUMENT.at(to.substring(1));
    }
}
