package millrace.e2e.kafka;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Creates certificates for this machine with the JDK's keytool. */
final class TestCertificates {
    static final String PASSWORD = "changeit";

    private TestCertificates() {}

    /** Creates a key and its certificate for 127.0.0.1, and a {@link #trustStore} with the certificate. */
    static Path keyStore(Path file) throws IOException, InterruptedException {
        String certificate = file.resolveSibling("kafka.pem").toString();
        keytool(file, "-genkeypair -alias kafka -keyalg RSA -dname CN=localhost -ext san=dns:localhost,ip:127.0.0.1");
        keytool(file, "-exportcert -rfc -alias kafka -file", certificate);
        keytool(trustStore(file), "-importcert -noprompt -alias kafka -file", certificate);
        return file;
    }

    static Path trustStore(Path keyStore) {
        return keyStore.resolveSibling("trust.p12");
    }

    private static void keytool(Path store, String arguments, String... more) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
        command.addAll(List.of(arguments.split(" ", -1)));
        command.addAll(List.of(more));
        command.addAll(List.of("-storetype", "PKCS12", "-keystore", store.toString(), "-storepass", PASSWORD));
        Process tool = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(tool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (tool.waitFor() != 0) {
            throw new IllegalStateException(output);
        }
    }
}
