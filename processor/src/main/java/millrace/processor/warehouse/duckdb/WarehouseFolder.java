package millrace.processor.warehouse.duckdb;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import millrace.control.ControlFile;
import millrace.processor.warehouse.DataVersions;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The versions of each dataset on disk. {@code {dataset}/{version}.duckdb} never changes once it is there; {@code
 * {dataset}/current} names the version that new reports read. An import writes a file elsewhere, then calls {@link
 * #publish} and {@link #switchTo}. Open reports keep the version that they began with.
 */
public final class WarehouseFolder implements DataVersions {
    private static final Logger LOG = LoggerFactory.getLogger(WarehouseFolder.class);
    private static final Pattern DATASET = Pattern.compile("[a-z][a-z0-9_]*");
    private static final Pattern VERSION = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,99}");
    private static final String SUFFIX = ".duckdb";
    private static final String CURRENT = "current";
    private static final Duration FRESH = Duration.ofSeconds(1);

    private final Path root;
    private final InstantSource clock;
    private final Map<String, Seen> seen = new ConcurrentHashMap<>();

    /** Datasets whose pointer could not be read. */
    private final Set<String> damaged = ConcurrentHashMap.newKeySet();

    private record Seen(Optional<String> version, Optional<Instant> switchedAt, Instant at) {}

    public WarehouseFolder(Path root, InstantSource clock) {
        this.root = root.toAbsolutePath().normalize();
        this.clock = clock;
    }

    Path root() {
        return root;
    }

    /**
     * The version that new reports read; empty where the dataset has no data. It may be a second old.
     *
     * @throws UncheckedIOException where the file that names it cannot be read; its message says what to do
     */
    @Override
    public Optional<String> current(String dataset) {
        Instant now = clock.instant();
        Seen last = seen.get(dataset);
        if (last != null && isFresh(last, now)) {
            return last.version;
        }
        Optional<String> version = read(dataset);
        seen.put(dataset, new Seen(version, version.flatMap(v -> readSwitchedAt(dataset, v)), now));
        return version;
    }

    private static boolean isFresh(Seen last, Instant now) {
        return now.isBefore(last.at.plus(FRESH)) && !now.isBefore(last.at);
    }

    /** Whether the dataset has data, also where the version that is current cannot be read. */
    public boolean hasCurrent(String dataset) {
        return Files.exists(folder(dataset).resolve(CURRENT));
    }

    @Override
    public boolean readable() {
        return damaged.isEmpty();
    }

    @Override
    public void check() {
        try {
            for (String dataset : datasets()) {
                try {
                    var unused = read(dataset);
                } catch (UncheckedIOException e) {
                    LOG.debug("current version not readable dataset={}", dataset, e);
                }
            }
        } catch (IOException e) {
            LOG.warn("warehouse folder not readable folder={} error={}", root, e.toString());
        }
    }

    /** All published versions, sorted by name. */
    @Override
    public List<String> versions(String dataset) throws IOException {
        Path folder = folder(dataset);
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(f -> String.valueOf(f.getFileName()))
                    .filter(f -> f.endsWith(SUFFIX))
                    .map(f -> f.substring(0, f.length() - SUFFIX.length()))
                    .filter(VERSION.asMatchPredicate())
                    .sorted()
                    .toList();
        }
    }

    @Override
    public boolean has(String dataset, String version) {
        return VERSION.matcher(version).matches() && Files.isRegularFile(file(dataset, version));
    }

    @Override
    public boolean switchable() {
        return true;
    }

    /** When the file of the version was finished; empty where it is missing. */
    @Override
    public Optional<Instant> updatedAt(String dataset, String version) {
        try {
            return Optional.of(Files.getLastModifiedTime(file(dataset, version)).toInstant());
        } catch (NoSuchFileException e) {
            return Optional.empty();
        } catch (IOException e) {
            throw new UncheckedIOException("the warehouse folder " + root + " cannot be read", e);
        }
    }

    /** The same for all processes that read the folder. It may be a second old, as {@link #current} may. */
    @Override
    public Optional<Instant> switchedAt(String dataset, String version) {
        Seen last = seen.get(dataset);
        return last != null && isFresh(last, clock.instant()) && last.version.equals(Optional.of(version))
                ? last.switchedAt
                : readSwitchedAt(dataset, version);
    }

    /** Empty if another version became current meanwhile. */
    private Optional<Instant> readSwitchedAt(String dataset, String version) {
        Path current = folder(dataset).resolve(CURRENT);
        try {
            FileTime before = Files.getLastModifiedTime(current);
            boolean named = isCurrent(dataset, version);
            return named && before.equals(Files.getLastModifiedTime(current))
                    ? Optional.of(before.toInstant())
                    : Optional.empty();
        } catch (NoSuchFileException e) {
            return Optional.empty();
        } catch (IOException e) {
            throw new UncheckedIOException("the warehouse folder " + root + " cannot be read", e);
        }
    }

    /** All datasets that have a folder, sorted. */
    public List<String> datasets() throws IOException {
        if (!Files.isDirectory(root)) {
            return List.of();
        }
        try (Stream<Path> folders = Files.list(root)) {
            return folders.filter(Files::isDirectory)
                    .map(f -> String.valueOf(f.getFileName()))
                    .filter(DATASET.asMatchPredicate())
                    .sorted()
                    .toList();
        }
    }

    /** Stores that an open report reads the version now. */
    @Override
    public void inUse(String dataset, String version) {
        Path mark = mark(dataset, version);
        try {
            if (Files.isRegularFile(file(dataset, version))) {
                ControlFile.write(mark, clock.instant() + "\n");
            }
        } catch (IOException e) {
            throw new UncheckedIOException(mark + " cannot be written", e);
        }
    }

    /** When the version was last marked as in use, by what the mark says or else its time; the epoch where it never was. */
    Instant markedAt(String dataset, String version) throws IOException {
        Path mark = mark(dataset, version);
        try {
            return Instant.parse(Files.readString(mark).strip());
        } catch (NoSuchFileException e) {
            return Instant.EPOCH;
        } catch (DateTimeParseException | CharacterCodingException e) {
            LOG.error(
                    "mark of a version in use damaged, its time counts; delete it where no report reads the version"
                            + " file={}",
                    mark);
            return Files.getLastModifiedTime(mark).toInstant();
        }
    }

    /** Whether it is current now, and not a second ago. */
    public boolean isCurrent(String dataset, String version) {
        return read(dataset).filter(version::equals).isPresent();
    }

    /**
     * Deletes a version. Open readers keep reading the file. Returns false where the version is current or does not
     * exist.
     */
    public boolean delete(String dataset, String version) throws IOException {
        if (isCurrent(dataset, version)) {
            return false;
        }
        boolean deleted = Files.deleteIfExists(file(dataset, version));
        Files.deleteIfExists(mark(dataset, version));
        return deleted;
    }

    private Path mark(String dataset, String version) {
        return file(dataset, version).resolveSibling("." + version + ".used");
    }

    /** The path of a version, which need not exist. */
    public Path file(String dataset, String version) {
        if (!VERSION.matcher(version).matches()) {
            throw new IllegalArgumentException("not the name of a version: " + version);
        }
        return folder(dataset).resolve(version + SUFFIX);
    }

    /**
     * Moves a complete, closed file to its place; it must be on the same disk. It is not read before {@link #switchTo}.
     */
    public void publish(Path complete, String dataset, String version) throws IOException {
        Path file = file(dataset, version);
        Files.createDirectories(folder(dataset));
        Files.move(complete, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        ControlFile.forceFolder(folder(dataset));
        ControlFile.forceFolder(root);
    }

    /**
     * Makes the version current, atomically.
     *
     * @throws NoSuchFileException where it has not been published
     */
    public void switchTo(String dataset, String version) throws IOException {
        Path file = file(dataset, version);
        if (!Files.isRegularFile(file)) {
            throw new NoSuchFileException(file.toString());
        }
        ControlFile.write(folder(dataset).resolve(CURRENT), version + "\n");
        seen.remove(dataset);
    }

    private Optional<String> read(String dataset) {
        try {
            Optional<String> version = named(dataset);
            if (damaged.remove(dataset)) {
                LOG.info("current version readable again dataset={}", dataset);
            }
            return version;
        } catch (IOException e) {
            String message = folder(dataset).resolve(CURRENT) + " does not say which version of " + dataset
                    + " is current: " + e.getMessage() + ". Reports on it fail until it does: millrace versions --use "
                    + dataset + "@VERSION";
            if (damaged.add(dataset)) {
                LOG.error("{}", message);
            }
            throw new UncheckedIOException(message, e);
        }
    }

    private Optional<String> named(String dataset) throws IOException {
        try {
            String version = Files.readString(folder(dataset).resolve(CURRENT)).strip();
            if (!VERSION.matcher(version).matches()) {
                throw new IOException(version.isEmpty() ? "it is empty" : "it has no name of a version");
            }
            if (!Files.isRegularFile(file(dataset, version))) {
                throw new IOException("there is no version " + version);
            }
            return Optional.of(version);
        } catch (NoSuchFileException e) {
            return Optional.empty();
        } catch (CharacterCodingException e) {
            throw new IOException("it is not text", e);
        }
    }

    private Path folder(String dataset) {
        if (!DATASET.matcher(dataset).matches()) {
            throw new IllegalArgumentException("not the name of a dataset: " + dataset);
        }
        return root.resolve(dataset);
    }
}
