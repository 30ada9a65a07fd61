package millrace.standalone;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Optional;

/** The admin key of this mode, made at the first start, and what the terminal command needs to know to use it. */
final class AdminAccess {
    private static final String NAME = "local";
    private static final int BYTES = 16;

    private AdminAccess() {}

    /** Makes the key where there is none. */
    static void prepare(DataFolder data) throws IOException {
        if (Files.notExists(data.adminKeys())) {
            byte[] key = new byte[BYTES];
            new SecureRandom().nextBytes(key);
            write(
                    data.adminKeys(),
                    "# Who may use the admin API: a name and a key per line.\n" + NAME + " "
                            + HexFormat.of().formatHex(key) + "\n");
        }
    }

    /** Leaves a note of where the admin API is. */
    static void announce(DataFolder data, Optional<URI> address) throws IOException {
        if (address.isPresent()) {
            write(data.adminAccess(), "address: " + address.get() + "\n");
        } else {
            Files.deleteIfExists(data.adminAccess());
        }
    }

    /** Whole or not at all, and for the owner's eyes only. */
    private static void write(Path file, String text) throws IOException {
        Path temporary = file.resolveSibling(file.getFileName() + ".tmp");
        Files.deleteIfExists(temporary);
        Files.createFile(temporary, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(temporary, text);
        Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE);
    }
}
