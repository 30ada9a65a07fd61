package millrace.gateway.admin;

import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import javax.net.ssl.KeyManagerFactory;

/** TLS of the admin port. */
final class Tls {
    private Tls() {}

    /** With the key and certificates of a PKCS#12 file. */
    static SslContext server(Path keyStore, String password) throws IOException, GeneralSecurityException {
        KeyStore store = KeyStore.getInstance(keyStore.toFile(), password.toCharArray());
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(store, password.toCharArray());
        return SslContextBuilder.forServer(keys).protocols("TLSv1.3", "TLSv1.2").build();
    }
}
