package millrace.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import millrace.gateway.settings.GatewaySettings;
import millrace.notifier.NotifierSettings;
import millrace.runtime.service.ServiceMain;
import millrace.runtime.settings.Settings;
import millrace.standalone.folder.DataFolder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StandaloneTest {
    @TempDir
    Path folder;

    @ParameterizedTest
    @CsvSource({
        "127.0.0.1, true",
        "127.0.0.2, true",
        "localhost, true",
        "::1,       true",
        "0.0.0.0,   false",
        "::,        false",
        "192.0.2.1, false",
    })
    void webhooksMayGoToLoopbackOnlyWhereTheServiceItselfListensThere(String host, boolean allowed) throws IOException {
        Settings settings = settings(Map.of("gateway.host", host));
        var gateway = settings.section("gateway", GatewaySettings.class);
        var notifier = settings.section("notifier", NotifierSettings.class);
        assertThat(gateway.webhookAddresses().allows(InetAddress.getLoopbackAddress()))
                .isEqualTo(allowed);
        assertThat(notifier.allowedAddresses()).isEqualTo(gateway.allowedAddresses());
    }

    @Test
    void whatTheOperatorAllowsCounts() throws IOException {
        Settings settings = settings(Map.of("gateway.host", "0.0.0.0", "notifier.allowed-addresses", "127.0.0.0/8"));
        assertThat(settings.section("notifier", NotifierSettings.class).allowedAddresses())
                .isEqualTo(List.of("127.0.0.0/8"));
    }

    @Test
    void theWelcomeNamesACommandThatFindsTheFolder() {
        assertThat(WelcomeMessage.adminCommand(
                        "./millrace", Path.of("data").toAbsolutePath().normalize()))
                .isEqualTo("./millrace admin accounts");
        assertThat(WelcomeMessage.adminCommand("/opt/millrace/millrace", Path.of("/var/lib/mine")))
                .isEqualTo("/opt/millrace/millrace admin accounts --data /var/lib/mine");
        assertThat(WelcomeMessage.adminCommand("./millrace", Path.of("/home/o'neil/my data")))
                .isEqualTo("./millrace admin accounts --data '/home/o'\\''neil/my data'");
    }

    @Test
    void whereProgramsReadTheLogTheWelcomeIsOneLineOfItWithoutKeys() {
        assertThat(WelcomeMessage.line(
                        URI.create("http://127.0.0.1:8080"),
                        "127.0.0.1:9092",
                        Path.of("/var/lib/mine"),
                        Optional.of(URI.create("http://127.0.0.1:8081"))))
                .isEqualTo("Millrace is ready. address=http://127.0.0.1:8080 kafka=127.0.0.1:9092"
                        + " state=/var/lib/mine admin=http://127.0.0.1:8081");
    }

    private Settings settings(Map<String, String> given) throws IOException {
        try (DataFolder data = DataFolder.open(folder)) {
            return Standalone.onOneMachine(
                    Settings.load(ServiceMain.withCommon(StandaloneMain.sections()), null, Map.of(), given), data);
        }
    }
}
