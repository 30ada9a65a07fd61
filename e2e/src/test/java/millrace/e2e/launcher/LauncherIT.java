package millrace.e2e.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import millrace.e2e.data.DemoDataFolder;
import millrace.e2e.data.DemoRequests;
import millrace.e2e.process.BatchApiClient;
import millrace.e2e.process.LauncherScript;
import millrace.e2e.process.MillraceProcess;
import millrace.e2e.process.ProcessResult;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Starts Millrace with mistakes, stops it, and starts it again. */
class LauncherIT {
    private static final Duration QUICKLY = Duration.ofSeconds(10);

    @TempDir
    static Path folder;

    @BeforeAll
    static void files() throws IOException {
        Files.writeString(folder.resolve("a-file"), "");
    }

    /**
     * Some mistakes; StartErrorsTest has all of them, without processes. {@code $} is a folder, {@code #} a port in
     * use.
     */
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            --prot=8080                            | unknown setting prot on the command line; did you mean gateway.port?
            --port=#                               | port # of 127.0.0.1 cannot be used: Address already in use
            --gateway.accounts=$/missing.yaml      | accounts file $/missing.yaml does not exist
            """)
    void saysInOneLineWhatIsWrong(String arguments, String sentence, @TempDir Path data) throws Exception {
        try (var taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String port = Integer.toString(taken.getLocalPort());
            List<String> given = List.of(filledIn(arguments, port).split(" ", -1));
            ProcessResult ended =
                    ProcessResult.run(MillraceProcess.command(data, given.toArray(String[]::new)), Map.of());
            refused(ended, filledIn(sentence, port).replace("?", "\\?"));
            assertThat(data.resolve("warehouse")).doesNotExist();
        }
    }

    @Test
    void namesTheNearestVariableOfTheEnvironment(@TempDir Path data) throws Exception {
        refused(
                ProcessResult.run(MillraceProcess.command(data), Map.of("MILLRACE_GATEWAY_PROT", "1")),
                "unknown setting MILLRACE_GATEWAY_PROT in the environment; did you mean MILLRACE_GATEWAY_PORT\\?");
    }

    @Test
    void helps() throws Exception {
        ProcessResult ended = ProcessResult.run(MillraceProcess.command(folder, "--help"), Map.of());
        assertThat(ended.code()).isZero();
        assertThat(ended.err()).isEmpty();
        assertThat(ended.out()).contains("--port", "--data", "--config", "gateway.port");
        ProcessResult found = ProcessResult.run(MillraceProcess.command(folder, "--help", "retries"), Map.of());
        assertThat(found.out()).contains("notifier.retries").doesNotContain("gateway.port");
        ProcessResult none = ProcessResult.run(MillraceProcess.command(folder, "--help", "sail"), Map.of());
        assertThat(none.code()).isEqualTo(2);
        assertThat(none.err()).isEqualTo("no setting has sail in its name or description\n");
        ProcessResult version = ProcessResult.run(MillraceProcess.command(folder, "--version"), Map.of());
        assertThat(version.code()).isZero();
        assertThat(version.out()).matches("Millrace [0-9]+\\.[0-9]+\\S*\n");
    }

    @Test
    @Tag("thorough")
    void stopsAtOnceAndGoesOnWhereItStopped(@TempDir Path data) throws Exception {
        DemoDataFolder.create(data);
        String report;
        String file;
        long credits;
        String key;
        String kafka;
        // Polling the status would soon exceed the account's default of 50 reads a second.
        String[] arguments = DemoDataFolder.arguments(
                "--gateway.requests-per-second=1000", "--management.port=0", "--log.reports=true");
        try (var millrace = MillraceProcess.start(data, arguments)) {
            millrace.checkReady();
            key = millrace.batchKey();
            kafka = millrace.bootstrapServers();
            BatchApiClient api = BatchApiClient.of(millrace, key);
            report = api.submit("demographics", DemoRequests.small(0));
            file = api.download(api.ended(report));
            credits = api.remainingCredits();
            refused(
                    ProcessResult.run(MillraceProcess.command(data), Map.of()),
                    "the data folder \\Q" + data + "\\E is used by another process");
            millrace.checkInterrupt();
            assertThat(millrace.output())
                    .containsPattern("INFO +reports: report accepted reportId=" + report
                            + " accountId=demo requestId=[0-9a-f]{32}\n")
                    .containsPattern("INFO +reports: report complete reportId=" + report + " accountId=demo\n")
                    .doesNotContain(" ERROR ");
        }
        try (var millrace = MillraceProcess.start(data, arguments)) {
            BatchApiClient api = BatchApiClient.of(millrace, key);
            millrace.checkReady();
            assertThat(millrace.batchKey()).isEqualTo(key);
            assertThat(millrace.bootstrapServers())
                    .as("of those who read the topics")
                    .isEqualTo(kafka);
            assertThat(api.remainingCredits()).isEqualTo(credits);
            assertThat(api.download(api.status(report))).isEqualTo(file);
            assertThat(api.ended(api.submit("demographics", DemoRequests.small(1)))
                            .text("status"))
                    .isEqualTo("complete");
            List<Path> unpacked = unpacked(millrace.pid());
            millrace.checkStop();
            assertThat(unpacked).allSatisfy(library -> assertThat(library).doesNotExist());
        }
    }

    /** Native libraries that the process has extracted to the temporary folder. Empty without /proc. */
    private static List<Path> unpacked(long pid) throws IOException {
        Path maps = Path.of("/proc/" + pid + "/maps");
        if (Files.notExists(maps)) {
            return List.of();
        }
        List<Path> unpacked = Files.readAllLines(maps).stream()
                .filter(line -> line.contains("libduckdb_java") || line.contains("librocksdbjni"))
                .map(line -> Path.of(line.substring(line.indexOf('/')).replace(" (deleted)", "")))
                .distinct()
                .toList();
        assertThat(unpacked).hasSize(2);
        return unpacked;
    }

    @Test
    void theScriptFindsAJdkAndRunsFromAnywhere(@TempDir Path home) throws Exception {
        ProcessResult help = ProcessResult.run(List.of(LauncherScript.copyTo(home), "--help"), Map.of());
        assertThat(help.err()).isEmpty();
        assertThat(help.code()).isZero();
        assertThat(help.out()).contains("usage: ./millrace");
        // The environment variable for JVM options is not a setting of the services.
        ProcessResult options = ProcessResult.run(
                List.of(
                        LauncherScript.copyTo(home),
                        "--data",
                        folder.resolve("a-file").toString()),
                Map.of("MILLRACE_JAVA_OPTIONS", "-Xmx128m -Dmillrace=1"));
        refused(options, "the data folder .* is not a folder");
    }

    /** A process that has run out of memory must not stay up without answering. */
    @Test
    void theScriptEndsWithoutMemoryAndSaysWhatToRaise(@TempDir Path home) throws Exception {
        Path large = home.resolve("large.yaml");
        Files.write(large, new byte[64 << 20]);
        ProcessResult ended = ProcessResult.run(
                List.of(LauncherScript.copyTo(home), "--config", large.toString()),
                Map.of("MILLRACE_JAVA_OPTIONS", "-Xmx32m"));
        assertThat(ended.code()).as("%s", ended).isEqualTo(3);
        assertThat(ended.err())
                .isEqualTo(
                        "millrace: out of memory: give it a larger heap, for example MILLRACE_JAVA_OPTIONS=-Xmx2g\n");
        for (String image : List.of("gateway", "processor", "notifier")) {
            assertThat(stage(image + "-service"))
                    .contains("-XX:+ExitOnOutOfMemoryError", "-XX:OnOutOfMemoryError=echo millrace: out of memory");
        }
    }

    /**
     * A service that starts without a class archive writes one once it is ready. An archive that does not fit must not
     * harm.
     */
    @Test
    @Tag("thorough")
    void theScriptKeepsLoadedClasses(@TempDir Path home) throws Exception {
        String script = LauncherScript.copyTo(home);
        Path classes = home.resolve("standalone/target/app/classes.jsa");
        Path data = Files.createDirectory(home.resolve("data"));
        DemoDataFolder.create(data);
        try (var millrace = MillraceProcess.start(List.of(script), data, DemoDataFolder.arguments())) {
            await().atMost(Duration.ofSeconds(90)).until(() -> Files.exists(classes));
        }
        assertThat(sourceOfOurs(script, home)).contains("shared objects file (top)");

        Files.writeString(classes, "not an archive");
        assertThat(sourceOfOurs(script, home)).contains("source: file:");

        // Settings of the service are none of that run's.
        ProcessResult written =
                ProcessResult.run(List.of(script, "archive-classes"), Map.of("MILLRACE_GATEWAY_PORT", "65536"));
        assertThat(written.code()).as("%s", written).isZero();
        assertThat(sourceOfOurs(script, home)).contains("shared objects file (top)");
    }

    @Test
    void theScriptBuildsWithoutTestsAndChecks(@TempDir Path home) throws Exception {
        String script = LauncherScript.copyTo(home);
        Files.delete(home.resolve("standalone/target/app/built"));
        Path maven = Files.createDirectory(home.resolve("bin")).resolve("mvn");
        Files.writeString(maven, "#!/bin/sh\necho \"$JAVA_HOME: $*\"\n");
        assertThat(maven.toFile().setExecutable(true)).isTrue();
        Map<String, String> environment = Map.of("PATH", maven.getParent() + ":" + System.getenv("PATH"));
        ProcessResult built = ProcessResult.run(List.of(script, "--help"), environment);
        assertThat(built.code()).as("%s", built).isZero();
        assertThat(built.err()).matches("(?s)millrace: building, .*\n/.+: .*-Dchecks=off -pl standalone -am package\n");
        assertThat(ProcessResult.run(List.of(script, "--help"), environment).err())
                .isEmpty();
    }

    /** A release has no sources, and Maven need not be there; by a link too, as one makes in a folder of the PATH. */
    @Test
    void theScriptOfAReleaseBuildsNothing(@TempDir Path home) throws Exception {
        Path release = Files.createDirectory(home.resolve("release"));
        Path link = Files.createSymbolicLink(home.resolve("millrace"), Path.of(LauncherScript.releaseTo(release)));
        Map<String, String> environment = LauncherScript.withoutMaven(home);
        for (List<String> command : List.of(
                List.of("--help"),
                List.of("admin", "--help"),
                List.of("import", "--help"),
                List.of("versions", "--help"),
                List.of("help"),
                List.of("report", "run", "--help"))) {
            List<String> typed = new ArrayList<>(List.of("/bin/bash", link.toString()));
            typed.addAll(command);
            ProcessResult ended = ProcessResult.run(typed, environment);
            assertThat(ended.code()).as("%s", ended).isZero();
            assertThat(ended.err()).isEmpty();
            assertThat(ended.out()).containsIgnoringCase("usage: ");
        }
        ProcessResult mistyped = ProcessResult.run(List.of("/bin/bash", link.toString(), "reports"), environment);
        assertThat(mistyped.code()).isEqualTo(2);
        assertThat(mistyped.err())
                .isEqualTo("millrace: there is no command reports; did you mean report?; try millrace help\n");
        // Letters that are not ASCII, typed where the locale is that of cron jobs and containers.
        ProcessResult shown = ProcessResult.run(
                List.of(
                        "/bin/bash",
                        "-c",
                        "LC_ALL=C /bin/bash \"$0\" validate demographics --key=k --show"
                                + " --domains=\"$(printf 'z\\303\\274rich.example')\"",
                        link.toString()),
                environment);
        assertThat(shown.out()).as("%s", shown).contains("\"z\u00fcrich.example\"");
    }

    /** Commands of clients never build; once there is a build they start in a moment with the classes of the last time. */
    @Test
    void theScriptBuildsNothingForCommandsOfClients(@TempDir Path home) throws Exception {
        Path alone = Files.createDirectory(home.resolve("alone"));
        Files.copy(Path.of("../millrace"), alone.resolve("millrace"));
        Map<String, String> environment = new HashMap<>(LauncherScript.withoutMaven(home));
        environment.put("HOME", home.toString());
        refused(
                ProcessResult.run(List.of("/bin/bash", alone.resolve("millrace").toString(), "credits"), environment),
                "millrace: credits is not built yet, and the commands of clients build nothing: .*-pl standalone -am package");

        Path release = Files.createDirectory(home.resolve("release"));
        List<String> credits = List.of(
                "/bin/bash",
                LauncherScript.releaseTo(release),
                "credits",
                "--url=http://127.0.0.1:1",
                "--retry-for=0s");
        ProcessResult first = ProcessResult.run(credits, environment);
        assertThat(first.code()).as("%s", first).isEqualTo(4);
        assertThat(first.err()).startsWith("millrace credits: no key for http://127.0.0.1:1");
        assertThat(release.resolve("app/client.jsa")).isNotEmptyFile();
        ProcessResult second = ProcessResult.run(credits, environment);
        assertThat(second.err()).isEqualTo(first.err());
    }

    /** The source of a Millrace class, by the log of the JVM. */
    private static String sourceOfOurs(String script, Path home) throws IOException, InterruptedException {
        Path log = home.resolve("loaded.log");
        ProcessResult help = ProcessResult.run(
                List.of(script, "--help"), Map.of("MILLRACE_JAVA_OPTIONS", "-Xmx128m -Xlog:class+load:file=" + log));
        assertThat(help.err()).isEmpty();
        assertThat(help.out()).contains("usage: ./millrace");
        return Files.readAllLines(log).stream()
                .filter(line -> line.contains("millrace.runtime.service.ServiceMain "))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void theScriptSaysThatItNeedsMaven(@TempDir Path home) throws Exception {
        String script = LauncherScript.copyTo(home);
        Files.delete(home.resolve("standalone/target/app/built"));
        refused(
                ProcessResult.run(List.of("/bin/bash", script), LauncherScript.withoutMaven(home)),
                "millrace: is not built yet and needs .*Maven.*");
    }

    /** The image of the gateway has millrace-admin, and what repartition needs of the processor. */
    @Test
    void theImageOfTheGatewayHasAllOfRepartition() throws Exception {
        String copied = stage("gateway-service")
                .lines()
                .filter(line -> line.endsWith(" /app/repartition/"))
                .findFirst()
                .orElseThrow();
        List<URL> jars = new ArrayList<>();
        for (String word : (copied
                        + " /millrace/gateway/target/app/lib/*.jar /millrace/gateway/target/app/millrace/*.jar")
                .split(" ", -1)) {
            if (word.endsWith(".jar")) {
                int name = word.lastIndexOf('/');
                Path folderOfJars = Path.of(word.substring(0, name).replaceFirst("/millrace", ".."));
                try (var found = Files.newDirectoryStream(folderOfJars, word.substring(name + 1))) {
                    for (Path jar : found) {
                        jars.add(jar.toUri().toURL());
                    }
                }
            }
        }
        String script = Files.readString(Path.of("../docker/commands/millrace-admin"));
        String main = "millrace.processor.repartition.RepartitionCommand";
        assertThat(script).contains(main);
        byte[] row = HexFormat.of().parseHex("0101398857cd00e18522b39b9904006ae87b40");
        try (var loader = new URLClassLoader(jars.toArray(URL[]::new), ClassLoader.getPlatformClassLoader())) {
            assertThat(loader.loadClass(main).getMethod("main", String[].class)).isNotNull();
            Class<?> type = loader.loadClass("millrace.processor.ledger.state.RepartitionedState");
            Object state = type.getConstructor(int.class).newInstance(1);
            Object unused = type.getMethod("keeps", int.class, String.class, byte[].class)
                    .invoke(state, 0, "ended/0", row);
            assertThat((Map<?, ?>) type.getMethod("of", int.class).invoke(state, 0))
                    .hasSize(3);
        }
    }

    private static String stage(String name) throws IOException {
        return Stream.of(Files.readString(Path.of("../Dockerfile")).split("(?m)^(?=FROM )", -1))
                .filter(stage -> stage.lines().findFirst().orElse("").endsWith(" AS " + name))
                .findFirst()
                .orElseThrow();
    }

    private static String filledIn(String text, String port) {
        return text.replace("$", folder.toString()).replace("#", port);
    }

    private static void refused(ProcessResult ended, String sentence) {
        List<String> lines = new ArrayList<>(ended.err().lines().toList());
        assertThat(lines).singleElement().asString().matches(sentence);
        assertThat(ended.out()).isEmpty();
        assertThat(ended.code()).isEqualTo(2);
        assertThat(ended.took()).isLessThan(QUICKLY);
    }
}
