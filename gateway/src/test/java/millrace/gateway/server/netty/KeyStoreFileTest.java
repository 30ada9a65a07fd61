package millrace.gateway.server.netty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import millrace.gateway.settings.TlsSettings;
import millrace.runtime.settings.SettingsException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Flux;

class KeyStoreFileTest {
    private static final String PASSWORD = "secret";

    @TempDir
    private Path folder;

    private final Logger logger = (Logger) LoggerFactory.getLogger(KeyStoreFile.class);
    private final ListAppender<ILoggingEvent> said = new ListAppender<>();

    private Path file;

    @BeforeEach
    void listen() throws Exception {
        file = made("first");
        said.start();
        logger.addAppender(said);
    }

    @AfterEach
    void stopListening() {
        logger.detachAppender(said);
    }

    @Test
    void readsWhatHasChangedAndKeepsTheLastOneWhereItCannotBeUsed() throws Exception {
        var keys = new KeyStoreFile(new TlsSettings(file, PASSWORD));
        assertThat(subject(keys)).isEqualTo("CN=first");

        byte[] second = Files.readAllBytes(made("second"));
        List<byte[]> wrong = List.of(
                new byte[0],
                Arrays.copyOf(second, second.length / 2),
                Files.readAllBytes(mixed()),
                Files.readAllBytes(withoutKey()));
        for (byte[] content : wrong) {
            Files.write(file, content);
            keys.check();
            keys.check();
            assertThat(subject(keys)).isEqualTo("CN=first");
        }
        Files.delete(file);
        keys.check();
        keys.check();
        assertThat(subject(keys)).isEqualTo("CN=first");
        assertThat(said.list).as("each is said once").hasSize(wrong.size() + 1).allSatisfy(line -> assertThat(
                        line.toString())
                .startsWith("[ERROR] " + file + " has changed and cannot be used: ")
                .contains("The certificate that was read before goes on"));
        assertThat(said.list.get(2).toString()).contains("its key is not that of its certificate");
        assertThat(said.list.get(3).toString()).contains("it has no key with a certificate");

        Files.write(file, second);
        keys.check();
        assertThat(subject(keys)).isEqualTo("CN=second");
        keys.close();
    }

    @Test
    void aFileThatCannotBeUsedEndsTheStart() throws Exception {
        assertThatThrownBy(() -> new KeyStoreFile(new TlsSettings(file, "another")))
                .isInstanceOf(SettingsException.class)
                .hasMessageStartingWith("gateway.tls.key-store " + file + " cannot be used: ");
    }

    private static String subject(KeyStoreFile keys) throws Exception {
        KeyStore store = Flux.from(keys.getKeyStore()).blockFirst();
        assertThat(store).isNotNull();
        return ((X509Certificate) store.getCertificate("gateway"))
                .getSubjectX500Principal()
                .getName();
    }

    /** The key of one and the certificate of another. */
    private Path mixed() throws Exception {
        return stored("mixed", (PrivateKey) loaded("first").getKey("gateway", PASSWORD.toCharArray()), "second");
    }

    private Path withoutKey() throws Exception {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        store.setCertificateEntry("gateway", loaded("second").getCertificate("gateway"));
        return written("without-key", store);
    }

    private Path stored(String name, PrivateKey key, String certificateOf) throws Exception {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        store.setKeyEntry("gateway", key, PASSWORD.toCharArray(), new Certificate[] {
            loaded(certificateOf).getCertificate("gateway")
        });
        return written(name, store);
    }

    private Path written(String name, KeyStore store) throws Exception {
        Path to = folder.resolve(name);
        try (OutputStream out = Files.newOutputStream(to)) {
            store.store(out, PASSWORD.toCharArray());
        }
        return to;
    }

    private KeyStore loaded(String name) throws Exception {
        return KeyStore.getInstance(made(name).toFile(), PASSWORD.toCharArray());
    }

    /** A key store of a key that is made for it. */
    private Path made(String name) throws Exception {
        Path made = folder.resolve(name + ".p12");
        Path keytool = Path.of(System.getProperty("java.home"), "bin", "keytool");
        String arguments = "-genkeypair -keyalg EC -storetype PKCS12 -alias gateway -dname CN=" + name + " -storepass "
                + PASSWORD + " -keystore " + made;
        if (Files.notExists(made)) {
            List<String> command = new ArrayList<>(List.of(keytool.toString()));
            command.addAll(List.of(arguments.split(" ", -1)));
            assertThat(new ProcessBuilder(command).inheritIO().start().waitFor())
                    .isZero();
        }
        return made;
    }
}
