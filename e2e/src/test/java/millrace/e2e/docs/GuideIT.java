package millrace.e2e.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import millrace.e2e.data.DemoDataFolder;
import millrace.e2e.process.BatchApiClient;
import millrace.e2e.process.LauncherScript;
import millrace.e2e.process.LeftOut;
import millrace.e2e.process.ProcessResult;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Types the commands of README and guides, with free ports, and checks their documented output. */
@Tag("thorough") // types the guides
class GuideIT {
    private static final Pattern BATCH_KEY = Pattern.compile("(?m)^batch_key: *\"(.*)\"");

    @ParameterizedTest
    @ValueSource(strings = {"../../README.md", "your-own-data.md", "a-dataset-of-your-own.md", "command-line.md"})
    void worksAsWritten(String name, @TempDir Path home) throws Exception {
        type(name, home);
    }

    @Test
    void theGuideAboutAnalyticsWorksAsWritten(@TempDir Path home) throws Exception {
        List<String> missing = Stream.of(List.of("kcat", "-V"), List.of("python3", "-c", "import confluent_kafka"))
                .filter(command -> !succeeds(command))
                .map(command -> String.join(" ", command))
                .toList();
        if (!missing.isEmpty()) {
            LeftOut.say(
                    "guide-analytics",
                    "The guide about analytics was not typed: " + String.join(" and ", missing)
                            + " fails here (Debian: apt-get install kcat python3-confluent-kafka).");
        }
        assumeThat(missing).isEmpty();
        type("analytics.md", home);
    }

    private static void type(String name, Path home) throws IOException {
        MarkdownGuide guide = MarkdownGuide.read(Path.of("../docs/guides").resolve(name));
        assertThat(guide.commands()).hasSizeGreaterThan(3);
        LauncherScript.copyTo(home);
        String port = freePort();
        String kafkaPort = freePort();
        // The dates of the guides are within the history of the account, whenever this runs.
        var environment = Map.of(
                "MILLRACE_GATEWAY_PORT",
                port,
                "MILLRACE_STANDALONE_KAFKA_PORT",
                kafkaPort,
                "MILLRACE_STANDALONE_DEMO_LAST_DAY",
                DemoDataFolder.DATA.lastDay().toString());
        try (ShellTerminal first = ShellTerminal.open(home, environment);
                ShellTerminal second = ShellTerminal.open(home, environment)) {
            for (MarkdownGuide.Command command : guide.commands()) {
                if (command.secondTerminal()) {
                    second.start(command.text());
                    second.await("Ctrl-C stops");
                } else {
                    String text = command.text()
                            .replace("127.0.0.1:8080", "127.0.0.1:" + port)
                            .replace("127.0.0.1:9092", "127.0.0.1:" + kafkaPort);
                    types(first, command, text);
                }
            }
        }
    }

    /** A customer's: the service is somebody else's, and its address and the key are known. */
    @ParameterizedTest
    @ValueSource(strings = {"requests.md", "agents.md"})
    void theGuideForCustomersWorksAsWritten(String name, @TempDir Path home) throws Exception {
        MarkdownGuide guide = MarkdownGuide.read(Path.of("../docs/guides").resolve(name));
        assertThat(guide.commands()).hasSizeGreaterThan(6);
        LauncherScript.copyTo(home);
        String port = freePort();
        var ofTheService = Map.of(
                "MILLRACE_GATEWAY_PORT",
                port,
                "MILLRACE_STANDALONE_DEMO_LAST_DAY",
                DemoDataFolder.DATA.lastDay().toString());
        try (ShellTerminal service = ShellTerminal.open(home, ofTheService)) {
            service.start("./millrace\n");
            service.await("Ctrl-C stops");
            var key = BATCH_KEY.matcher(Files.readString(home.resolve("data/demo-keys.yaml")));
            assertThat(key.find()).isTrue();
            // Customers come later: until a processor has looked at the data there is no quote.
            BatchApiClient api =
                    new BatchApiClient("http://127.0.0.1:" + port, key.group(1), HttpClient.newHttpClient());
            Awaitility.await()
                    .until(() ->
                            api.get("/v3/batch/tables/demographics/entities").code() == 200);
            Path folder = Files.createDirectory(home.resolve("customer"));
            try (ShellTerminal customer =
                    ShellTerminal.open(folder, Map.of("BASE", "http://127.0.0.1:" + port, "KEY", key.group(1)))) {
                for (MarkdownGuide.Command command : guide.commands()) {
                    types(customer, command, command.text());
                }
            }
        }
    }

    private static void types(ShellTerminal terminal, MarkdownGuide.Command command, String text) throws IOException {
        String output = terminal.run(text);
        assertThat(command.fits(output))
                .as("%s\nprinted\n%s\nnot\n%s", command.text(), output, String.join("\n", command.expected()))
                .isTrue();
    }

    private static boolean succeeds(List<String> command) {
        try {
            return ProcessResult.run(command, Map.of()).code() == 0;
        } catch (IOException notFound) {
            return false;
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String freePort() throws IOException {
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return Integer.toString(socket.getLocalPort());
        }
    }
}
