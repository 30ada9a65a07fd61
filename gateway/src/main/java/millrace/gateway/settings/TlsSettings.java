package millrace.gateway.settings;

import java.nio.file.Path;
import millrace.runtime.settings.Setting;
import org.jspecify.annotations.Nullable;

/** Settings below {@code gateway.tls}. */
public record TlsSettings(
        @Setting(
                first = true,
                doc =
                        "PKCS#12 file with the gateway's key and certificates; without it plain HTTP, for use behind a proxy")
        @Nullable
        Path keyStore,

        @Setting(first = true, doc = "password of that file") @Nullable
        String password) {
    public static final TlsSettings NONE = new TlsSettings(null, null);

    public TlsSettings {
        if (keyStore != null && password == null) {
            throw new IllegalArgumentException("key-store needs a password");
        }
    }

    public String scheme() {
        return keyStore == null ? "http" : "https";
    }

    /** Leaves the password out. */
    @Override
    public String toString() {
        return "TlsSettings[" + keyStore + "]";
    }
}
