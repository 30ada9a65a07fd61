package millrace.client.cli;

import static millrace.client.cli.TestService.json;
import static millrace.client.cli.TestService.problem;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which service is called, and with which key. */
class LoginTest {
    private static final String CREDITS = "GET /v3/batch/credits";

    @TempDir
    Path home;

    private TestService service;
    private TestService other;

    @BeforeEach
    void start() throws IOException {
        service = TestService.start().on(CREDITS, json(200, "{\"remaining_credits\":1500}"));
        other = TestService.start().on(CREDITS, json(200, "{\"remaining_credits\":1}"));
    }

    @AfterEach
    void stop() {
        service.close();
        other.close();
    }

    @Test
    void keepsAKeyThatTheServiceAccepts() throws IOException {
        Path file = home.resolve(".config/millrace/profiles.json");
        Typed typed = new Typed(home).in("secret-key\n");
        Typed.Result done = typed.run("login", "--url", service.url() + "/");
        assertThat(done.err()).isEmpty();
        assertThat(done.out())
                .isEqualTo("the key is accepted by " + service.url()
                        + ", with 1,500 credits left; kept as profile default in " + file + "\n");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        assertThat(typed.run("credits").out()).isEqualTo("1,500 credits left\n");
        assertThat(key(service)).isEqualTo("secret-key");

        assertThat(typed.in("another")
                        .run("login", "--url", other.url(), "--profile", "second")
                        .code())
                .isZero();
        assertThat(typed.run("credits", "--profile", "second").out()).isEqualTo("1 credit left\n");
        assertThat(typed.run("--profile", "default", "credits").out()).isEqualTo("1,500 credits left\n");
        Typed.Result unknown = typed.run("credits", "--profile", "third");
        assertThat(unknown.code()).isEqualTo(2);
        assertThat(unknown.err())
                .isEqualTo("millrace credits: there is no profile third in " + file + "; there are: default, second\n");
    }

    /** As people keep their settings in a repository. */
    @Test
    void aLinkToTheProfilesStays() throws IOException {
        Path kept = Files.createDirectory(home.resolve("dotfiles")).resolve("profiles.json");
        Path link = home.resolve(".config/millrace/profiles.json");
        Files.createDirectories(link.getParent());
        Files.createSymbolicLink(link, kept);
        assertThat(new Typed(home, service).run("login").code()).isZero();
        assertThat(Files.isSymbolicLink(link)).isTrue();
        assertThat(Files.readString(kept)).contains(TestService.KEY);
    }

    @Test
    void keepsNoKeyThatTheServiceRefuses() {
        service.on(CREDITS, problem(401, "The key is not valid."));
        Typed.Result refused = new Typed(home).run("login", "--url", service.url(), "--key", "wrong");
        assertThat(refused.code()).isEqualTo(4);
        assertThat(home.resolve(".config")).doesNotExist();
        assertThat(new Typed(home).in("\n").run("login").err()).isEqualTo("millrace login: no key was given\n");
    }

    @Test
    void aKeyOfAProfileGoesToNoOtherAddress() {
        new Typed(home).run("login", "--url", service.url(), "--key", "of-the-first");
        Typed.Result elsewhere = new Typed(home).run("credits", "--url", other.url());
        assertThat(elsewhere.code()).isEqualTo(4);
        assertThat(elsewhere.err()).contains("no key for " + other.url());
        Typed.Result byVariable =
                new Typed(home).environment("MILLRACE_URL", other.url()).run("credits");
        assertThat(byVariable.code()).isEqualTo(4);
        assertThat(other.requests(CREDITS)).isEmpty();
    }

    @Test
    void optionsComeBeforeVariablesBeforeTheProfile() throws IOException {
        new Typed(home).run("login", "--url", service.url(), "--key", "of-the-profile");
        Typed typed = new Typed(home, service).environment("MILLRACE_KEY", "of-the-variable");
        typed.run("credits");
        assertThat(key(service)).isEqualTo("of-the-variable");
        typed.run("credits", "--profile", "default");
        assertThat(key(service)).isEqualTo("of-the-profile");
        Path file = Files.writeString(home.resolve("key"), "\nof-the-file\n");
        typed.run("credits", "--key", "@" + file);
        assertThat(key(service)).isEqualTo("of-the-file");
        typed.run("--url=" + other.url(), "credits", "--key", "typed");
        assertThat(key(other)).isEqualTo("typed");
    }

    @Test
    void saysWhatIsWrongWithAddressKeyAndFile() throws IOException {
        assertThat(new Typed(home).run("credits", "--url", "localhost:8080").err())
                .isEqualTo("millrace credits: the address must be like http://127.0.0.1:8080: localhost:8080\n");
        assertThat(new Typed(home).run("credits", "--key", "a b").err()).contains("was it copied as a whole?");
        Path file = home.resolve(".config/millrace/profiles.json");
        Files.createDirectories(file.getParent());
        Files.writeString(file, "{");
        assertThat(new Typed(home).run("credits").err()).contains(file + " cannot be read", "log in again");
        assertThat(new Typed(home)
                        .environment("XDG_CONFIG_HOME", home.resolve("xdg").toString())
                        .run("login", "--url", service.url(), "--key", "k")
                        .out())
                .contains(home.resolve("xdg/millrace/profiles.json").toString());
    }

    @Test
    void tellsAnotherServerFromTheService() throws IOException {
        service.on(
                CREDITS,
                TestService.bytes(200, "<html>Welcome</html>".getBytes(java.nio.charset.StandardCharsets.UTF_8)));
        Typed.Result page = new Typed(home, service).run("credits");
        assertThat(page.code()).isEqualTo(5);
        assertThat(page.err())
                .isEqualTo("millrace credits: " + service.url()
                        + " answers, but not as Millrace does: <html>Welcome</html>; is the address right?\n");
        service.on(
                CREDITS,
                TestService.bytes(502, "\u001b[31mbad\n gateway".getBytes(java.nio.charset.StandardCharsets.UTF_8)));
        assertThat(new Typed(home, service).run("credits", "--retry-for", "0s").err())
                .startsWith("millrace credits: HTTP 502: \\u001b[31mbad gateway\n");
    }

    @Test
    void takesTheKeyNowhereElse() {
        service.on(CREDITS, TestService.bytes(301, new byte[0], "Location", other.url() + "/v3/batch/credits"));
        Typed.Result led = new Typed(home, service).run("credits");
        assertThat(led.code()).isEqualTo(2);
        assertThat(led.err()).contains(service.url() + " leads to " + other.url());
        assertThat(other.requests(CREDITS)).isEmpty();
    }

    private static String key(TestService service) {
        return service.requests(CREDITS).getLast().header("Api-key");
    }
}
