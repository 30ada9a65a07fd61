package millrace.standalone;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Optional;
import millrace.control.ControlFile;
import millrace.standalone.folder.DataFolder;

/**
 * Creates the admin key at the first start, and the file that tells the {@code millrace admin}
 * command how to reach the admin API.
 */
final class AdminAccess {
    private static final String NAME = "local";
    private static final int BYTES = 16;

    private AdminAccess() {}

    /** Creates the key where there is none. */
    static void prepare(DataFolder data) throws IOException {
        if (Files.notExists(data.adminKeys())) {
            byte[] key = new byte[BYTES];
            new SecureRandom().nextBytes(key);
            ControlFile.writeSecret(
                    data.adminKeys(),
                    "# Who may use the admin API: a name and a key per line.\n" + NAME + " "
                            + HexFormat.of().formatHex(key) + "\n");
        }
    }

    /** Writes the address of the admin API to the data folder. */
    static void announce(DataFolder data, Optional<URI> address) throws IOException {
        if (address.isPresent()) {
            ControlFile.writeSecret(data.adminAccess(), "address: " + address.get() + "\n");
        } else {
            Files.deleteIfExists(data.adminAccess());
        }
    }
}
