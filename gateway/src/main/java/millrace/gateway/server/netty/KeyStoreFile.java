package millrace.gateway.server.netty;

import io.micronaut.context.annotation.Requires;
import io.micronaut.http.ssl.CertificateProvider;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Inject;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.KeyStoreException;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.Objects;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import millrace.gateway.settings.GatewaySettings;
import millrace.gateway.settings.TlsSettings;
import millrace.runtime.settings.SettingsException;
import org.reactivestreams.Publisher;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Sinks;

/**
 * The key and the certificates of a server, read anew when the file changes: connections that begin afterwards have the
 * new ones. While the file cannot be used, the last ones go on. Micronaut's own provider would have to watch the
 * folder, and sees no change where the file is a link that leads elsewhere, as in Kubernetes.
 */
@Singleton
@Named(KeyStoreFile.NAME)
@Requires(property = "micronaut.server.ssl.enabled", value = "true")
final class KeyStoreFile implements CertificateProvider {
    static final String NAME = "key-store-file";

    private static final Logger LOG = LoggerFactory.getLogger(KeyStoreFile.class);
    private static final Duration PERIOD = Duration.ofSeconds(5);

    private final Path file;
    private final char[] password;
    private final Sinks.Many<KeyStore> stores = Sinks.many().replay().latest();
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name(NAME).factory());

    private byte[] seen = {};
    private String problem = "";

    /** @throws SettingsException where the file cannot be used; its message is one line */
    @Inject
    KeyStoreFile(GatewaySettings settings) {
        this(settings.tls());
        var unused =
                thread.scheduleWithFixedDelay(this::check, PERIOD.toMillis(), PERIOD.toMillis(), TimeUnit.MILLISECONDS);
    }

    KeyStoreFile(TlsSettings settings) {
        this.file = Objects.requireNonNull(settings.keyStore());
        this.password = String.valueOf(settings.password()).toCharArray();
        try {
            read();
        } catch (IOException | GeneralSecurityException e) {
            throw new SettingsException("gateway.tls.key-store " + file + " cannot be used: " + e.getMessage());
        }
    }

    /** Reads the file, where it has changed. */
    synchronized void check() {
        try {
            if (read()) {
                LOG.info("key and certificate read anew file={}", file);
            }
        } catch (IOException | GeneralSecurityException | RuntimeException e) {
            if (!problem.equals(e.toString())) {
                problem = e.toString();
                LOG.error(
                        "{} has changed and cannot be used: {}. The certificate that was read before goes on; put a"
                                + " PKCS#12 file with a key, its certificates and the password of gateway.tls.password"
                                + " there",
                        file,
                        problem);
            }
        }
    }

    private synchronized boolean read() throws IOException, GeneralSecurityException {
        byte[] bytes = Files.readAllBytes(file);
        if (Arrays.equals(bytes, seen)) {
            return false;
        }
        seen = bytes;
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(new ByteArrayInputStream(bytes), password);
        checkKey(store);
        problem = "";
        stores.tryEmitNext(store).orThrow();
        return true;
    }

    private void checkKey(KeyStore store) throws GeneralSecurityException {
        boolean found = false;
        for (String alias : Collections.list(store.aliases())) {
            if (store.getKey(alias, password) instanceof PrivateKey key
                    && store.getCertificate(alias) instanceof X509Certificate certificate) {
                checkPair(key, certificate);
                found = true;
            }
        }
        if (!found) {
            throw new KeyStoreException("it has no key with a certificate");
        }
    }

    /** A client would refuse each connection of a key that is not the certificate's. */
    private static void checkPair(PrivateKey key, X509Certificate certificate) throws GeneralSecurityException {
        String algorithm =
                switch (key.getAlgorithm()) {
                    case "RSA" -> "SHA256withRSA";
                    case "EC" -> "SHA256withECDSA";
                    default -> key.getAlgorithm();
                };
        Signature signature = Signature.getInstance(algorithm);
        signature.initSign(key);
        byte[] signed = signature.sign();
        signature.initVerify(certificate.getPublicKey());
        if (!signature.verify(signed)) {
            throw new KeyStoreException("its key is not that of its certificate");
        }
    }

    @Override
    public Publisher<KeyStore> getKeyStore() {
        return stores.asFlux();
    }

    @Override
    public String getName() {
        return NAME;
    }

    @PreDestroy
    void close() {
        thread.shutdownNow();
        stores.tryEmitComplete();
    }
}
