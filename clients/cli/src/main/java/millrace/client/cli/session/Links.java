package millrace.client.cli.session;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Symbolic links to files that are replaced as a whole: the link stays, and the file behind it is the new one. */
public final class Links {
    private static final int MOST = 40;

    private Links() {}

    /** Where a path leads in the end, whether something is there or not. */
    public static Path followed(Path path) throws IOException {
        Path at = path;
        for (int links = 0; Files.isSymbolicLink(at); links++) {
            if (links == MOST) {
                throw new FileSystemException(path.toString(), null, "its links lead in circles");
            }
            at = at.resolveSibling(Files.readSymbolicLink(at));
        }
        return at;
    }
}
