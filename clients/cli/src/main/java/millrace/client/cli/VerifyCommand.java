package millrace.client.cli;

import io.millrace.client.WebhookSecret;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import millrace.client.cli.api.Session;
import millrace.client.cli.output.Json;
import millrace.client.cli.output.Words;
import millrace.client.cli.session.ExitCodes;
import millrace.client.cli.session.Failures;
import millrace.runtime.cli.CliException;
import millrace.runtime.cli.TextFile;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code millrace webhooks verify}. */
@Command(
        name = "verify",
        description = {
            "Verifies the signature of a webhook that was received. Asks no service.",
            "",
            "The headers come from a file with a line for each, or from options. Exit code 7 where the webhook is not"
                    + " what was sent."
        },
        footer = "millrace webhooks verify --secret @secret.txt --headers headers.txt body.json")
final class VerifyCommand implements Callable<Integer> {
    private static final Duration TOLERANCE = Duration.ofMinutes(5);
    private static final int LARGEST_BODY = 1 << 20;
    private static final String ID = "webhook-id";
    private static final String TIMESTAMP = "webhook-timestamp";
    private static final String SIGNATURE = "webhook-signature";

    @Parameters(arity = "0..1", paramLabel = "<file>", description = "The raw body; the standard input if not given.")
    private @Nullable String bodyFile;

    @Option(
            names = "--secret",
            required = true,
            paramLabel = "whsec_…|whpk_…|@<file>",
            description = "The secret of the account, the one that listen prints, or a public key.")
    private String secret = "";

    @Option(names = "--headers", paramLabel = "<file>", description = "Lines like \"webhook-id: …\".")
    private @Nullable Path headersFile;

    @Option(names = "--id", paramLabel = "<text>", description = "The header webhook-id.")
    private @Nullable String id;

    @Option(names = "--timestamp", paramLabel = "<seconds>", description = "The header webhook-timestamp.")
    private @Nullable String timestamp;

    @Option(names = "--signature", paramLabel = "<text>", description = "The header webhook-signature.")
    private @Nullable String signature;

    @Option(names = "--any-time", description = "Do not mind how old it is.")
    private boolean anyTime;

    private final Session session;

    VerifyCommand(Session session) {
        this.session = session;
    }

    @Override
    public Integer call() throws CliException {
        WebhookSecret key = secret();
        Map<String, String> headers = headers();
        byte[] body = body();
        String when = header(headers, TIMESTAMP);
        Duration age = age(when);
        String signatures = header(headers, SIGNATURE);
        String webhook = header(headers, ID);
        if (!key.verifies(signatures, webhook, when, body)) {
            throw new CliException(ExitCodes.ALTERED, whyNot(key, signatures, webhook, when, body));
        }
        if (!anyTime && age.abs().compareTo(TOLERANCE) > 0) {
            throw new CliException(
                    ExitCodes.ALTERED,
                    "the signature is right, but its time is " + Words.duration(age.abs())
                            + (age.isNegative() ? " ahead" : " ago")
                            + ": receivers refuse what is more than 5 minutes off; --any-time leaves that out");
        }
        return session.print(
                Json.object().put("valid", true).put("webhook_id", webhook).put("age_seconds", age.toSeconds()),
                "valid: " + webhook + ", signed " + Words.duration(age.abs()) + (age.isNegative() ? " ahead" : " ago"));
    }

    /** The mistakes that are made most often are tried. */
    private static String whyNot(WebhookSecret key, String signatures, String id, String timestamp, byte[] body) {
        boolean asymmetric = key.isPublic();
        String version = asymmetric ? "v1a," : "v1,";
        if (Arrays.stream(signatures.strip().split("\\s+", -1)).noneMatch(s -> s.startsWith(version))) {
            return "the header has no signature " + version + "…, which this " + (asymmetric ? "key" : "secret")
                    + " verifies";
        }
        int end = body.length;
        while (end > 0 && (body[end - 1] == '\n' || body[end - 1] == '\r')) {
            end--;
        }
        if (end < body.length && key.verifies(signatures, id, timestamp, Arrays.copyOf(body, end))) {
            return "the body ends with a line break that was not sent; without it the signature is right: editors and"
                    + " echo add one";
        }
        return "the signature is not right: the secret is another one, or the body is not what was sent, byte for"
                + " byte, or webhook-id or webhook-timestamp were changed";
    }

    private WebhookSecret secret() throws CliException {
        try {
            String text = secret.startsWith("@") ? TextFile.read(Path.of(secret.substring(1))) : secret;
            return WebhookSecret.of(text.strip());
        } catch (IOException e) {
            throw new CliException(
                    ExitCodes.LOCAL,
                    "the secret cannot be read from " + secret.substring(1) + ": " + Failures.reason(e));
        } catch (IllegalArgumentException e) {
            throw new CliException(ExitCodes.USAGE, e.getMessage());
        }
    }

    private Map<String, String> headers() throws CliException {
        Map<String, String> headers = new HashMap<>();
        if (headersFile != null) {
            try {
                for (String line : TextFile.read(headersFile).lines().toList()) {
                    int colon = line.indexOf(':');
                    if (colon > 0) {
                        headers.put(
                                line.substring(0, colon).strip().toLowerCase(Locale.ROOT),
                                line.substring(colon + 1).strip());
                    }
                }
            } catch (IOException e) {
                throw new CliException(ExitCodes.LOCAL, headersFile + " cannot be read: " + Failures.reason(e));
            }
        }
        put(headers, ID, id);
        put(headers, TIMESTAMP, timestamp);
        put(headers, SIGNATURE, signature);
        return headers;
    }

    private static void put(Map<String, String> headers, String name, @Nullable String value) {
        if (value != null) {
            headers.put(name, value.strip());
        }
    }

    private static String header(Map<String, String> headers, String name) throws CliException {
        String value = headers.get(name);
        if (value == null || value.isEmpty()) {
            throw new CliException(
                    ExitCodes.USAGE,
                    "the header " + name + " is missing: give it with --" + name.substring("webhook-".length())
                            + ", or all in a file with --headers");
        }
        return value;
    }

    private static Duration age(String timestamp) throws CliException {
        if (!timestamp.matches("[0-9]{1,12}")) {
            throw new CliException(ExitCodes.USAGE, TIMESTAMP + " is seconds since 1970, and not: " + timestamp);
        }
        return Duration.between(Instant.ofEpochSecond(Long.parseLong(timestamp)), Instant.now());
    }

    private byte[] body() throws CliException {
        boolean standard = bodyFile == null || bodyFile.equals("-");
        try (InputStream in = standard ? session.in() : Files.newInputStream(Path.of(String.valueOf(bodyFile)))) {
            byte[] body = in.readNBytes(LARGEST_BODY + 1);
            if (body.length > LARGEST_BODY) {
                throw new CliException(ExitCodes.USAGE, "the body has more than 1 MiB: no webhook has");
            }
            return body;
        } catch (IOException e) {
            throw new CliException(ExitCodes.LOCAL, "the body cannot be read: " + Failures.reason(e));
        }
    }
}
