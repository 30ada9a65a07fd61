package io.millrace.client;

import io.millrace.client.MillraceException.DownloadException;
import io.millrace.client.MillraceException.NoAnswerException;
import io.millrace.client.MillraceException.ServiceException;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * A complete report. Each way to read it downloads the file, and compares size and SHA-256 before it returns a row.
 * A loop that is left early holds the temporary file until the next garbage collection; {@link #rows} can be closed.
 */
public final class Report implements Iterable<Map<String, Object>> {
    private static final int MOST_LINKS = 40;

    private final Http http;
    private final String id;
    private final Map<String, Object> status;

    Report(Http http, String id, Map<String, Object> status) {
        this.http = http;
        this.id = id;
        this.status = status;
    }

    public String id() {
        return id;
    }

    /** The answer of request-status. */
    public Map<String, Object> status() {
        return status;
    }

    @Override
    public Iterator<Map<String, Object>> iterator() {
        return openRows();
    }

    /**
     * The rows of a CSV or JSON Lines file, also with gzip. Of CSV cells are texts, and null where they are empty;
     * JSON Lines have numbers. Meanwhile the file is in the folder for temporary files, until the stream is read to
     * its end, or closed.
     */
    public Stream<Map<String, Object>> rows() {
        Rows rows = openRows();
        return Client.stream(rows).onClose(rows::close);
    }

    private Rows openRows() {
        try {
            FileChannel file = temporary();
            Rows rows = null;
            try {
                fetch(file);
                rows = new Rows(Channels.newInputStream(file.position(0)), id);
                return rows;
            } finally {
                if (rows == null) {
                    file.close();
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static FileChannel temporary() throws IOException {
        return FileChannel.open(
                Files.createTempFile("millrace-", null),
                StandardOpenOption.READ,
                StandardOpenOption.WRITE,
                StandardOpenOption.DELETE_ON_CLOSE);
    }

    /**
     * Writes the file as it is. At the path there is the whole file, or what was there before; a symbolic link stays,
     * and the file that it leads to is the new one. Devices and pipes get the bytes once they are verified.
     */
    public Path toFile(Path path) {
        try {
            if (Files.isDirectory(path)) {
                throw new FileSystemException(path.toString(), null, "is a directory");
            }
            if (Files.exists(path) && !Files.isRegularFile(path)) {
                toDevice(path);
            } else {
                replace(followed(path));
            }
            return path;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void toDevice(Path device) throws IOException {
        try (FileChannel file = temporary();
                OutputStream out = Files.newOutputStream(device, StandardOpenOption.WRITE)) {
            fetch(file);
            Channels.newInputStream(file.position(0)).transferTo(out);
        }
    }

    private void replace(Path target) throws IOException {
        Path part = target.resolveSibling(
                target.getFileName() + "." + UUID.randomUUID().toString().substring(0, 8) + ".part");
        try (FileChannel file = FileChannel.open(part, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            fetch(file);
            Files.move(part, target, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(part);
        }
    }

    /** Where a path leads in the end, whether something is there or not. */
    private static Path followed(Path path) throws IOException {
        Path at = path;
        for (int links = 0; Files.isSymbolicLink(at); links++) {
            if (links == MOST_LINKS) {
                throw new FileSystemException(path.toString(), null, "its links lead in circles");
            }
            at = at.resolveSibling(Files.readSymbolicLink(at));
        }
        return at;
    }

    /** Writes the file of a complete report, which is then as its status says. */
    private void fetch(FileChannel file) throws IOException {
        long size = ((Number) status.get("file_size")).longValue();
        long have = 0;
        long most = 0;
        String tag = null;
        MessageDigest digest = sha256();
        byte[] chunk = new byte[Http.CHUNK];
        var retries = http.retries();
        try {
            while (have < size) {
                Map<String, String> headers = new LinkedHashMap<>(Map.of("accept-encoding", "identity"));
                if (have > 0) {
                    headers.put("range", "bytes=" + have + "-");
                    if (tag != null) {
                        headers.put("if-range", tag);
                    }
                }
                try (Http.Answer answer = http.openLink((String) status.get("download_url"), headers)) {
                    if (answer.status() == 416) {
                        throw new DownloadException(
                                "The file of report " + id + " has " + have + " bytes, and the status says " + size
                                        + ".",
                                true);
                    } else if (answer.status() == 200) {
                        have = 0;
                        digest.reset();
                        file.truncate(0);
                    } else if (answer.status() != 206) {
                        throw answer.refusal();
                    } else if (!answer.header("content-range").startsWith("bytes " + have + "-")) {
                        throw new NoAnswerException(
                                "The answer to a download has another range than the one asked for.", true, null);
                    }
                    String given = answer.header("etag");
                    tag = given.startsWith("\"") ? given : have > 0 ? tag : null;
                    for (int n = answer.read(chunk); n >= 0; n = answer.read(chunk)) {
                        have += n;
                        if (have > size) {
                            throw new DownloadException(
                                    "The file of report " + id + " has more than the " + size
                                            + " bytes that the status says.",
                                    true);
                        }
                        digest.update(chunk, 0, n);
                        write(file, ByteBuffer.wrap(chunk, 0, n));
                        if (have > most) {
                            most = have;
                            retries.progress();
                        }
                    }
                    if (have < size) {
                        throw new NoAnswerException(
                                "The download of report " + id + " broke off after " + have + " of " + size + " bytes.",
                                true,
                                null);
                    }
                } catch (ServiceException | NoAnswerException e) {
                    retries.pause(e);
                }
            }
            String actual = HexFormat.of().formatHex(digest.digest());
            if (!actual.equals(status.get("sha256"))) {
                throw new DownloadException(
                        "The file of report " + id + " was altered: its SHA-256 is " + actual + ", and the status says "
                                + status.get("sha256") + ".",
                        true);
            }
        } catch (MillraceException e) {
            throw e.of(id);
        }
    }

    private static void write(FileChannel file, ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
            file.write(bytes);
        }
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
