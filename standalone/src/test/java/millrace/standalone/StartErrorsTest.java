package millrace.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a person reads who starts Millrace with a mistake: one line that says what is wrong, and exit code 2. */
class StartErrorsTest {
    private static final int WRONG_SETTINGS = 2;
    private static final String ACCOUNTS = """
            accounts:
            - id: acme
              name: Acme
              keys: []
              credits: 1
              entitlements: {}
              webhook_secrets: []
            """;

    @TempDir
    static Path folder;

    @BeforeAll
    static void files() throws IOException {
        Files.writeString(folder.resolve("a-file"), "");
        Files.writeString(folder.resolve("broken.yaml"), "gateway:\n  port: [1\n");
        Files.writeString(folder.resolve("unknown.yaml"), "gateway:\n  prot: 8080\n");
        Files.writeString(folder.resolve("a-list.yaml"), "- gateway\n");
        Files.writeString(folder.resolve("no-accounts.yaml"), "accounts: [\n");
        Files.writeString(folder.resolve("half-accounts.yaml"), ACCOUNTS.replace("  name: Acme\n", ""));
        Files.writeString(folder.resolve("bad-accounts.yaml"), ACCOUNTS.replace("credits: 1", "credits: -1"));
        Files.writeString(folder.resolve("more-accounts.yaml"), ACCOUNTS + "  colour: red\n");
    }

    /** {@code $} is the folder with the files, {@code #} a port that is taken. The data folder is empty: nothing is made. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            --prot=8080                            | unknown setting prot on the command line; did you mean gateway.port?
            --gateway.prot 8080                    | unknown setting gateway.prot on the command line; did you mean gateway.port?
            start                                  | unknown argument start; try --help
            --port=eighty                          | setting gateway.port is a whole number, not "eighty"
            --port=65536                           | setting gateway: port must be from 0 to 65535: 65536
            --port=#                               | port # of 127.0.0.1 cannot be used: Address already in use
            --standalone.kafka-port=#              | port # of 127.0.0.1 cannot be used: Address already in use
            --notifier.retries=5s,soon             | setting notifier.retries is a duration like 500ms, 5s, 10m, 2h or 30d, not "soon"
            --gateway.allowed-addresses=nowhere    | setting gateway: .*nowhere.*
            --notifier.allowed-addresses=nowhere   | setting notifier: .*nowhere.*
            --processor.threads=0                  | setting processor: threads must be at least 1 .*
            --config                               | --config needs a file: --config file.yaml
            --config=$/missing.yaml                | settings file $/missing.yaml does not exist
            --config=$/broken.yaml                 | settings file $/broken.yaml is not YAML: .*\\(line \\d+\\)
            --config=$/unknown.yaml                | unknown setting gateway.prot in $/unknown.yaml; did you mean gateway.port?
            --config=$/a-list.yaml                 | settings file $/a-list.yaml: expected keys and values
            --data=$/a-file                        | the data folder $/a-file is not a folder
            --data=$/a-file/data                   | the data folder $/a-file/data cannot be written: .*
            --gateway.accounts=$/missing.yaml      | accounts file $/missing.yaml does not exist
            --gateway.accounts=$/no-accounts.yaml  | accounts file $/no-accounts.yaml.*: .*\\(line \\d+\\)
            --gateway.accounts=$/half-accounts.yaml | accounts file $/half-accounts.yaml: accounts\\[0\\].*name.*
            --gateway.accounts=$/bad-accounts.yaml | accounts file $/bad-accounts.yaml: .*credits of acme must be 0 or more: -1.*
            --gateway.accounts=$/more-accounts.yaml | accounts file $/more-accounts.yaml: accounts\\[0\\].colour.*
            """)
    void areSaidInOneLine(String arguments, String sentence, @TempDir Path data) throws IOException {
        try (var taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String port = Integer.toString(taken.getLocalPort());
            var out = new ByteArrayOutputStream();
            var err = new ByteArrayOutputStream();
            String[] given = Stream.concat(
                            Stream.of("--data=" + data, "--port=0"),
                            List.of(filledIn(arguments, port).split(" ", -1)).stream())
                    .toArray(String[]::new);

            int code = StandaloneMain.serve(given, new PrintStream(out, true), new PrintStream(err, true));

            assertThat(err.toString(StandardCharsets.UTF_8).lines())
                    .singleElement()
                    .asString()
                    .matches(filledIn(sentence, port).replace("?", "\\?"));
            assertThat(out.size()).isZero();
            assertThat(code).isEqualTo(WRONG_SETTINGS);
            assertThat(data.resolve("warehouse")).doesNotExist();
        }
    }

    private static String filledIn(String text, String port) {
        return text.replace("$", folder.toString()).replace("#", port);
    }
}
