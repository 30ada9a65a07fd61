package millrace.e2e.faults;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import millrace.contracts.Json;
import millrace.e2e.process.MillraceProcess;
import org.awaitility.Awaitility;

/** An operator who grants credits with chosen ids, and repeats unanswered grants. */
final class RetryingGrants {
    static final long AMOUNT = 7;
    private static final int CREATED = 201;

    private final HttpClient http = HttpClient.newHttpClient();
    private final Path data;
    private final List<String> asked = new ArrayList<>();

    RetryingGrants(Path data) {
        this.data = data;
    }

    /** Sends one grant after the other, until there is no answer. */
    void grantUntilItFails(MillraceProcess millrace) throws IOException, InterruptedException {
        String id;
        do {
            id = "crash-" + asked.size();
            asked.add(id);
        } while (granted(millrace, id));
    }

    /** Repeats all grants until they are answered; each counts once. */
    void repeat(MillraceProcess millrace) {
        for (String id : asked) {
            Awaitility.await(id).until(() -> granted(millrace, id));
        }
    }

    /** The sum of all grants. */
    long credits() {
        return AMOUNT * asked.size();
    }

    private boolean granted(MillraceProcess millrace, String id) throws IOException, InterruptedException {
        // The file has a comment, then a name and a key.
        String key = Files.readAllLines(data.resolve("admin-keys")).getLast().split(" ", -1)[1];
        String body = "{\"amount\":%d,\"grant_id\":\"%s\"}".formatted(AMOUNT, id);
        URI uri = URI.create(millrace.adminAddress() + "/admin/v1/accounts/demo/credits/grants");
        HttpRequest request = HttpRequest.newBuilder(uri)
                .header("admin-key", key)
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build();
        try {
            HttpResponse<String> answer = http.send(request, HttpResponse.BodyHandlers.ofString());
            return answer.statusCode() == CREATED
                    && Json.MAPPER.readTree(answer.body()).path("id").asText().equals(id);
        } catch (IOException e) {
            return false;
        }
    }
}
