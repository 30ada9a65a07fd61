package millrace.gateway.admin;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.PrintStream;
import java.net.ConnectException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.Map;
import millrace.contracts.Json;

/** {@code millrace admin}: says to the admin API what was typed, and prints its answer. */
public final class AdminMain {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final int REFUSED = 1;
    private static final int WRONG = 2;

    private AdminMain() {}

    public static void main(String[] arguments) throws InterruptedException {
        int code = run(arguments, System.getenv(), System.out, System.err);
        System.exit(code);
    }

    /** The exit code: 0 done, 1 refused by the service, 2 not understood or nobody there. */
    public static int run(String[] arguments, Map<String, String> environment, PrintStream out, PrintStream err)
            throws InterruptedException {
        try {
            Typed typed = Typed.parse(arguments);
            if (typed.help()) {
                out.print(Commands.usage());
                return 0;
            }
            Ask ask = Commands.of(typed);
            Access access = Access.find(typed, environment);
            HttpResponse<String> answer = send(access, ask);
            return print(answer, out, err);
        } catch (Wrong e) {
            err.println("millrace admin: " + e.getMessage());
            return WRONG;
        }
    }

    private static HttpResponse<String> send(Access access, Ask ask) throws Wrong, InterruptedException {
        var body = HttpRequest.BodyPublishers.ofString(ask.body().isEmpty() ? "" : Json.text(ask.body()));
        HttpRequest request = HttpRequest.newBuilder(access.address().resolve(ask.path()))
                .timeout(PATIENCE)
                .header(Calls.KEY_HEADER, access.key())
                .header("Content-Type", "application/json")
                .method(ask.method(), body)
                .build();
        try (HttpClient client = client(access)) {
            return client.send(request, HttpResponse.BodyHandlers.ofString(StandardCharsets.UTF_8));
        } catch (ConnectException e) {
            throw new Wrong("there is no admin API at " + access.address() + "; is the service running?");
        } catch (IOException e) {
            throw new Wrong("no answer from " + access.address() + ": " + e.getMessage());
        }
    }

    private static HttpClient client(Access access) throws Wrong {
        var builder = HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(5));
        try {
            return access.certificates() == null
                    ? builder.build()
                    : builder.sslContext(Tls.client(access.certificates())).build();
        } catch (IOException | GeneralSecurityException e) {
            throw new Wrong("the certificates of --ca-file cannot be used: " + e);
        }
    }

    private static int print(HttpResponse<String> answer, PrintStream out, PrintStream err) throws Wrong {
        try {
            JsonNode body = Json.MAPPER.readTree(answer.body());
            if (answer.statusCode() < 300) {
                out.println(Json.MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(body));
                return 0;
            }
            body.path("errors").forEach(error -> err.println("millrace admin: " + error.asText()));
            return REFUSED;
        } catch (IOException e) {
            throw new Wrong("the answer is not that of an admin API, status " + answer.statusCode());
        }
    }
}
