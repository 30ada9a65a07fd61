package millrace.files.disk;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Walks the files below a folder while other processes create and delete some. Files that vanish
 * during the walk are skipped.
 */
final class FileTreeWalk extends SimpleFileVisitor<Path> {
    private final Visitor visitor;

    /** Called with each file. */
    interface Visitor {
        void visit(Path file, Instant lastWritten) throws IOException;
    }

    private FileTreeWalk(Visitor visitor) {
        this.visitor = visitor;
    }

    static void walk(Path root, Visitor visitor) throws IOException {
        Files.walkFileTree(root, new FileTreeWalk(visitor));
    }

    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
        if (attributes.isRegularFile()) {
            visitor.visit(file, attributes.lastModifiedTime().toInstant());
        }
        return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
        return unlessGone(e);
    }

    @Override
    public FileVisitResult postVisitDirectory(Path folder, @Nullable IOException e) throws IOException {
        return e == null ? FileVisitResult.CONTINUE : unlessGone(e);
    }

    private static FileVisitResult unlessGone(IOException e) throws IOException {
        if (e instanceof NoSuchFileException) {
            return FileVisitResult.CONTINUE;
        }
        throw e;
    }
}
