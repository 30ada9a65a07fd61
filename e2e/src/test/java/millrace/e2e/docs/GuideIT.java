package millrace.e2e.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Pattern;
import millrace.e2e.data.DemoDataFolder;
import millrace.e2e.process.LauncherScript;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Types the commands of README and guides, with a free port, and checks their documented output. */
@Tag("thorough") // types the guides
class GuideIT {
    private static final Pattern BATCH_KEY = Pattern.compile("(?m)^batch_key: *\"(.*)\"");

    @ParameterizedTest
    @ValueSource(strings = {"../../README.md", "your-own-data.md", "a-dataset-of-your-own.md", "command-line.md"})
    void worksAsWritten(String name, @TempDir Path home) throws Exception {
        MarkdownGuide guide = MarkdownGuide.read(Path.of("../docs/guides").resolve(name));
        assertThat(guide.commands()).hasSizeGreaterThan(3);
        LauncherScript.copyTo(home);
        String port = freePort();
        // The dates of the guides are within the history of the account, whenever this runs.
        var environment = Map.of(
                "MILLRACE_GATEWAY_PORT",
                port,
                "MILLRACE_STANDALONE_DEMO_LAST_DAY",
                DemoDataFolder.DATA.lastDay().toString());
        try (ShellTerminal first = ShellTerminal.open(home, environment);
                ShellTerminal second = ShellTerminal.open(home, environment)) {
            for (MarkdownGuide.Command command : guide.commands()) {
                if (command.secondTerminal()) {
                    second.start(command.text());
                    second.await("Ctrl-C stops");
                } else {
                    types(first, command, command.text().replace("127.0.0.1:8080", "127.0.0.1:" + port));
                }
            }
        }
    }

    /** A customer's: the service is somebody else's, and its address and the key are known. */
    @Test
    void theGuideForCustomersWorksAsWritten(@TempDir Path home) throws Exception {
        MarkdownGuide guide = MarkdownGuide.read(Path.of("../docs/guides/requests.md"));
        assertThat(guide.commands()).hasSizeGreaterThan(7);
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

    private static String freePort() throws IOException {
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return Integer.toString(socket.getLocalPort());
        }
    }
}
