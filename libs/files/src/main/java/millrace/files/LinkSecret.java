package millrace.files;

import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import millrace.runtime.settings.SecretFile;

/**
 * The secret of {@link SignedLinks}: random bytes in a file that the first process that needs it
 * creates.
 */
public final class LinkSecret {
    static final int BYTES = SecretFile.BYTES;

    private LinkSecret() {}

    /**
     * Reads the file, or creates it, readable by its owner only. Processes that start at the same
     * time get the same bytes.
     *
     * @throws IOException also where the file has fewer than 32 bytes
     */
    public static byte[] load(Path file, SecureRandom random) throws IOException {
        return SecretFile.load(file, random, "download links that were handed out before do not work any more");
    }
}
