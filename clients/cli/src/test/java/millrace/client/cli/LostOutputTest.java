package millrace.client.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.client.WebhookSecret;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import millrace.client.cli.session.Machine;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Whatever a command prints: where it is lost, the exit code and a sentence say so. */
class LostOutputTest {
    private static final byte[] FILE = "domain,share\n".getBytes(StandardCharsets.UTF_8);
    private static final String SECRET = "whsec_c2VjcmV0";

    @TempDir
    Path folder;

    private TestService service;

    @BeforeEach
    void start() throws IOException {
        service = TestService.start();
        // Enough of an answer for every command.
        service.otherwise(TestService.json(200, """
                        {"id":"key_1","key":"k","is_valid":true,"status":"complete","report_id":"r1","file_size":%d,"sha256":"%s",
                         "download_url":"%s/file"}""".formatted(FILE.length, sha256(), service.url())))
                .on("GET /v3/batch/tables/describe", TestService.json(200, "[{\"table\":\"demographics\"}]"))
                .on("GET /file", TestService.bytes(200, FILE));
    }

    @AfterEach
    void stop() {
        service.close();
    }

    @Test
    void isToldByEveryCommand() throws IOException {
        String file = folder.resolve("out.csv").toString();
        Path body = Files.writeString(folder.resolve("body.json"), "{}");
        String now = Long.toString(Instant.now().getEpochSecond());
        String signature = WebhookSecret.of(SECRET).sign("1", now, Files.readAllBytes(body));
        Map<String, List<String>> lines = Map.ofEntries(
                Map.entry("report run", List.of("demographics", "-o", file, "--force")),
                Map.entry("report list", List.of()),
                Map.entry("report show", List.of("r1")),
                Map.entry("report cancel", List.of("r1")),
                Map.entry("report retry", List.of("r1")),
                Map.entry("report erase", List.of("r1")),
                Map.entry("report download", List.of("r1", "-o", "-")),
                Map.entry("validate", List.of("demographics")),
                Map.entry("datasets", List.of()),
                Map.entry("entities", List.of("demographics")),
                Map.entry("credits", List.of()),
                Map.entry("credits usage", List.of()),
                Map.entry("credits entries", List.of()),
                Map.entry("credits statements", List.of()),
                Map.entry("keys", List.of()),
                Map.entry("keys create", List.of()),
                Map.entry("keys revoke", List.of("key_1")),
                Map.entry("listen", List.of("--print-secret")),
                Map.entry("webhooks deliveries", List.of()),
                Map.entry("webhooks resend", List.of("1")),
                Map.entry("webhooks test", List.of("https://hooks.example.com")),
                Map.entry(
                        "webhooks verify",
                        List.of(body.toString(), "--secret", SECRET, "--id", "1", "--timestamp", now)),
                Map.entry("webhooks subscriptions", List.of()),
                Map.entry("webhooks subscribe", List.of("https://hooks.example.com")),
                Map.entry("webhooks unsubscribe", List.of("sub_1")),
                Map.entry("status", List.of()),
                Map.entry("login", List.of()),
                Map.entry("completion", List.of("bash")));
        // Feeds and statements are in tests of their own.
        assertThat(lines.keySet())
                .containsAll(names(CommandTree.of(Machine.here(), "1"), "").stream()
                        .filter(name -> !List.of("events", "credits verify").contains(name))
                        .toList());
        lines.forEach((name, more) -> {
            List<String> line = new ArrayList<>(List.of(name.split(" ", -1)));
            line.addAll(more);
            line.add("--json");
            if (name.equals("webhooks verify")) {
                line.addAll(List.of("--signature", signature));
            }
            String[] arguments = line.toArray(String[]::new);
            Typed.Result printed = typed().run(arguments);
            assertThat(printed.code()).as("%s: %s", line, printed.err()).isZero();
            assertThat(printed.out()).as("%s", line).isNotBlank();
            Typed.Result lost = typed().toAFullDisk().run(arguments);
            assertThat(lost.code()).as("%s", line).isEqualTo(1);
            assertThat(lost.err())
                    .contains("the output could not be written: the disk is full, or nobody reads it any more\n");
        });
        assertThat(typed().toAFullDisk().run("--help").code()).isEqualTo(1);
        assertThat(typed().toAFullDisk().run("--version").code()).isEqualTo(1);
    }

    @Test
    void aNewKeyThatNobodyHasSeenIsToBeRevoked() {
        assertThat(typed().toAFullDisk().run("keys", "create").err())
                .endsWith("millrace keys create: nobody has seen the new key; revoke it, and make another one:"
                        + " millrace keys revoke key_1\n");
        assertThat(typed().toAFullDisk()
                        .run("report", "run", "demographics", "--no-wait", "--quiet")
                        .err())
                .endsWith("to get its file: millrace report download r1\n");
    }

    private Typed typed() {
        return new Typed(folder.resolve("home"), service);
    }

    /** Of all commands that do something. */
    private static List<String> names(CommandLine line, String before) {
        List<String> names = new ArrayList<>();
        line.getSubcommands().forEach((name, command) -> {
            if (command.getSubcommands().isEmpty()
                    || !List.of("report", "webhooks").contains(name)) {
                names.add(before + name);
            }
            names.addAll(names(command, before + name + " "));
        });
        return names;
    }

    private static String sha256() {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(FILE));
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError(e);
        }
    }
}
