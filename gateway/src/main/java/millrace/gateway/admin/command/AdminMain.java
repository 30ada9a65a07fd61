package millrace.gateway.admin.command;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.PrintStream;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import millrace.contracts.Json;
import millrace.runtime.cli.CaCertificates;
import millrace.runtime.cli.CliException;
import millrace.runtime.cli.CliRunner;
import millrace.runtime.cli.EnvironmentProxies;
import millrace.runtime.cli.TerminalText;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ExitCode;

/** {@code millrace admin}: sends a request to the admin API and prints its answer. */
public final class AdminMain {
    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);
    static final int REFUSED = 1;
    static final int UNWRITTEN = 3;

    private final AdminCommands commands = new AdminCommands(this::send);
    private final Map<String, String> environment;
    private final PrintStream out;

    private AdminMain(Map<String, String> environment, PrintStream out) {
        this.environment = environment;
        this.out = out;
    }

    public static void main(String[] arguments) {
        System.exit(run(arguments, System.getenv(), CliRunner.standardOutput(), CliRunner.errorStream()));
    }

    /** @return the exit code: 0 done, 1 refused by the service, 2 wrong arguments or no service */
    public static int run(String[] arguments, Map<String, String> environment, PrintStream out, PrintStream err) {
        return CliRunner.run(new AdminMain(environment, out).commands, arguments, out, err);
    }

    /** A change that answers with a cursor is not done: it goes on there. */
    private int send(AdminRequest request) throws CliException, InterruptedException {
        JsonNode answer = exchange(request);
        while (!request.method().equals("GET") && answer.hasNonNull("next_cursor")) {
            answer = exchange(
                    request.withQuery("cursor", answer.path("next_cursor").asText()));
        }
        return ExitCode.OK;
    }

    private JsonNode exchange(AdminRequest request) throws CliException, InterruptedException {
        URI address = commands.address.address(environment);
        EnvironmentProxies proxies = EnvironmentProxies.of(environment);
        Optional<EnvironmentProxies.Named> proxy = proxies.proxy(address);
        String way = proxy.map(named -> ", by way of " + named).orElse("");
        String body = request.body().isEmpty() ? "" : Json.text(request.body());
        HttpRequest sent = HttpRequest.newBuilder(address.resolve(request.path()))
                .timeout(TIMEOUT)
                .header("Admin-Key", commands.address.key(environment))
                .header("Content-Type", "application/json")
                .method(request.method(), HttpRequest.BodyPublishers.ofString(body))
                .build();
        try (HttpClient client = client(proxies, proxy, commands.address.certificates())) {
            return print(request, client.send(sent, HttpResponse.BodyHandlers.ofString(StandardCharsets.UTF_8)));
        } catch (ConnectException e) {
            throw failure("there is no admin API at " + address + way + "; is the service running?");
        } catch (IOException e) {
            throw failure("no answer from " + address + way + ": " + e.getMessage());
        }
    }

    private static HttpClient client(
            EnvironmentProxies proxies, Optional<EnvironmentProxies.Named> proxy, @Nullable Path certificates)
            throws CliException {
        var builder = HttpClient.newBuilder().connectTimeout(CONNECT_TIMEOUT).proxy(proxies);
        proxy.ifPresent(named -> builder.authenticator(named.authenticator()));
        try {
            return certificates == null
                    ? builder.build()
                    : builder.sslContext(CaCertificates.context(certificates)).build();
        } catch (IOException | GeneralSecurityException e) {
            throw failure("the certificates of --ca-file cannot be used: " + e);
        }
    }

    private JsonNode print(AdminRequest request, HttpResponse<String> answer) throws CliException {
        try {
            JsonNode body = Json.MAPPER.readTree(answer.body());
            if (answer.statusCode() < 300) {
                out.println(Json.MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(body));
                if (out.checkError()) {
                    throw new CliException(UNWRITTEN, CliRunner.UNWRITTEN + "\n" + unseen(request, body));
                }
                return body;
            }
            List<String> sentences = new ArrayList<>();
            body.path("errors").forEach(error -> sentences.add(error.asText()));
            sentences.add(TerminalText.quotable(
                    body.path("code").textValue(), body.path("request_id").textValue()));
            throw new CliException(REFUSED, String.join("\n", sentences));
        } catch (IOException e) {
            throw failure("the answer is not that of an admin API, status " + answer.statusCode());
        }
    }

    /** What to do about an answer that nobody has seen. */
    private static String unseen(AdminRequest request, JsonNode answer) {
        if (answer.has("key")) {
            return "nobody has seen the new key; revoke it, and make another one: millrace admin revoke-key "
                    + request.account() + " " + answer.at("/details/id").asText();
        }
        if (answer.has("webhook_secret") || answer.has("secret")) {
            return "nobody has seen the new webhook secret; make another one: millrace admin rotate-secret "
                    + answer.at("/account/id").asText(request.account());
        }
        return request.method().equals("GET") ? "" : "what was asked for is done";
    }

    private static CliException failure(String message) {
        return new CliException(ExitCode.USAGE, message);
    }
}
