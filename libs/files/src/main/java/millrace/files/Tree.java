package millrace.files;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The files below a folder while others create and delete some: what vanishes during the walk is left out. */
final class Tree extends SimpleFileVisitor<Path> {
    private final List<Path> files = new ArrayList<>();

    private Tree() {}

    static List<Path> files(Path root) throws IOException {
        var tree = new Tree();
        Files.walkFileTree(root, tree);
        return tree.files;
    }

    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
        if (attributes.isRegularFile()) {
            files.add(file);
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
