package millrace.gateway.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import millrace.gateway.TestGateway;
import millrace.gateway.admin.command.AdminMain;
import millrace.gateway.settings.TlsSettings;
import millrace.testing.TestKafka;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The admin port speaks TLS where the gateway does. */
class AdminTlsIT {
    @TempDir
    Path folder;

    @Test
    void aTerminalThatTrustsTheCertificateIsAnswered() throws Exception {
        Path keyStore = folder.resolve("gateway.p12");
        Path certificate = folder.resolve("gateway.pem");
        keytool("-genkeypair -keyalg EC -dname CN=localhost -ext san=dns:localhost -storetype PKCS12", keyStore);
        keytool("-exportcert -rfc -file " + certificate, keyStore);
        try (TestKafka kafka = TestKafka.withTopics(3);
                TestGateway gateway = TestGateway.startWithAdmin(
                        kafka.bootstrapServers(), folder, new TlsSettings(keyStore, "secret"))) {
            URI address = gateway.adminAddress();
            assertThat(address.getScheme()).isEqualTo("https");
            String there = "https://localhost:" + address.getPort();
            assertThat(typed("accounts --address " + there + " --ca-file " + certificate))
                    .contains("\"id\" : \"acme\"");
            assertThat(typed("accounts --address " + there)).contains("no answer from " + there);
            assertThat(typed("accounts --address " + there.replace("https", "http")))
                    .contains("no answer from");
        }
    }

    /** Both servers, without a new start. */
    @Test
    void theCertificateIsReadAnewWhenItsFileChanges() throws Exception {
        Path keyStore = folder.resolve("gateway.p12");
        String arguments = "-genkeypair -keyalg EC -storetype PKCS12 -dname CN=";
        keytool(arguments + "first", keyStore);
        keytool(arguments + "second", folder.resolve("second.p12"));
        try (TestKafka kafka = TestKafka.withTopics(1);
                TestGateway gateway = TestGateway.startWithAdmin(
                        kafka.bootstrapServers(), folder, new TlsSettings(keyStore, "secret"))) {
            List<URI> servers = List.of(gateway.address(), gateway.adminAddress());
            for (URI server : servers) {
                assertThat(certificate(server)).isEqualTo("CN=first");
            }
            Files.move(folder.resolve("second.p12"), keyStore, StandardCopyOption.REPLACE_EXISTING);
            for (URI server : servers) {
                await().until(() -> certificate(server), "CN=second"::equals);
            }
        }
    }

    private static String certificate(URI server) throws Exception {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, InsecureTrustManagerFactory.INSTANCE.getTrustManagers(), null);
        try (var socket = (SSLSocket) context.getSocketFactory().createSocket(server.getHost(), server.getPort())) {
            return ((X509Certificate) socket.getSession().getPeerCertificates()[0])
                    .getSubjectX500Principal()
                    .getName();
        }
    }

    private static String typed(String line) throws InterruptedException {
        var said = new ByteArrayOutputStream();
        var stream = new PrintStream(said, true, StandardCharsets.UTF_8);
        AdminMain.run(line.split(" ", -1), Map.of("MILLRACE_ADMIN_KEY", TestGateway.ADMIN_KEY), stream, stream);
        return said.toString(StandardCharsets.UTF_8);
    }

    private static void keytool(String arguments, Path keyStore) throws Exception {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
        command.addAll(List.of(arguments.split(" ", -1)));
        command.addAll(List.of("-alias", "gateway", "-keystore", keyStore.toString(), "-storepass", "secret"));
        assertThat(new ProcessBuilder(command).inheritIO().start().waitFor()).isZero();
    }
}
