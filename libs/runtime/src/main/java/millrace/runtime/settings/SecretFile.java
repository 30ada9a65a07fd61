package millrace.runtime.settings;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import millrace.control.ControlFile;

/** A file of random bytes that the first process that needs it creates. */
public final class SecretFile {
    public static final int BYTES = 32;

    private SecretFile() {}

    /**
     * Reads the file, or creates it, readable by its owner only. Processes that start at the same
     * time get the same bytes.
     *
     * @param loss what another secret means, in error messages
     * @throws IOException also where the file has fewer than 32 bytes; its message says what to do
     */
    public static byte[] load(Path file, SecureRandom random, String loss) throws IOException {
        if (!Files.exists(file)) {
            byte[] secret = new byte[BYTES];
            random.nextBytes(secret);
            ControlFile.createSecret(file, secret);
        }
        byte[] secret = Files.readAllBytes(file);
        if (secret.length < BYTES) {
            throw new IOException(file + " is damaged: it has " + secret.length + " bytes, and needs " + BYTES
                    + " or more. Restore it from a copy; or delete it, and " + loss);
        }
        return secret;
    }
}
