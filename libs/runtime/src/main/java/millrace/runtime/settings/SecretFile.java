package millrace.runtime.settings;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;

/** A file of random bytes that the first process that needs it creates. */
public final class SecretFile {
    public static final int BYTES = 32;

    private SecretFile() {}

    /**
     * Reads the file, or creates it, readable by its owner only. Processes that start at the same
     * time get the same bytes.
     *
     * @param name of the secret in error messages
     * @throws IOException also where the file has fewer than 32 bytes
     */
    public static byte[] load(Path file, SecureRandom random, String name) throws IOException {
        if (!Files.exists(file)) {
            create(file, random);
        }
        byte[] secret = Files.readAllBytes(file);
        if (secret.length < BYTES) {
            throw new IOException("the " + name + " " + file + " has fewer than " + BYTES + " bytes");
        }
        return secret;
    }

    private static void create(Path file, SecureRandom random) throws IOException {
        byte[] secret = new byte[BYTES];
        random.nextBytes(secret);
        Path folder = file.toAbsolutePath().getParent();
        Files.createDirectories(folder);
        // createTempFile gives only the owner access. A link, unlike a rename, never replaces the file of another
        // process.
        Path temporary = Files.createTempFile(folder, ".secret", ".tmp");
        try {
            Files.write(temporary, secret);
            link(file, temporary);
        } catch (FileAlreadyExistsException e) {
            // Another process was first; its bytes are used.
        } finally {
            Files.deleteIfExists(temporary);
        }
    }

    private static void link(Path file, Path temporary) throws IOException {
        try {
            Files.createLink(file, temporary);
        } catch (UnsupportedOperationException e) {
            Files.move(temporary, file);
        }
    }
}
