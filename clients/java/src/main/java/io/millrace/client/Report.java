package io.millrace.client;

import io.millrace.client.MillraceException.DownloadException;
import io.millrace.client.MillraceException.NoAnswerException;
import io.millrace.client.MillraceException.ServiceException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.security.DigestInputStream;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.UUID;
import java.util.function.LongConsumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A complete report. Each way to read it downloads the file, and compares size and SHA-256 before it returns a row. One
 * in parts has several files: {@link #rows} reads all of them, one after the other, {@link #toFolder} writes them, and
 * {@link #files} gives each.
 * A loop that is left early holds the temporary file until the next garbage collection; {@link #rows} can be closed.
 */
public final class Report implements Iterable<Map<String, Object>> {
    private static final int MOST_LINKS = 40;
    /** One name, and no path. */
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]*");

    private static final Pattern FILE_NAME = Pattern.compile("filename=\"?([A-Za-z0-9][A-Za-z0-9._-]*)\"?");

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
     * The rows of a CSV or JSON Lines file, also with gzip. Cells of CSV are texts, and null if they are empty; JSON
     * Lines have numbers. The file is in the folder for temporary files until the stream is read to its end, or closed.
     */
    public Stream<Map<String, Object>> rows() {
        if (inParts()) {
            var rows = new PartRows(listed().iterator());
            return Client.stream(rows).onClose(rows::close);
        }
        Rows rows = ownRows();
        return Client.stream(rows).onClose(rows::close);
    }

    /**
     * The files of a report in parts, in the order of their rows. Each is read as a report is; its status has name, part,
     * row_count, file_size and sha256. Another report is its own file.
     */
    public List<Report> files() {
        return inParts() ? listed() : List.of(this);
    }

    /**
     * Writes all files, as {@link #toFile} does, under the names that the service gives them, into a folder, which is made
     * if it is not there. Returns their paths.
     */
    public List<Path> toFolder(Path folder) {
        List<Report> files = listed();
        for (Report file : files) {
            if (!NAME.matcher(String.valueOf(file.status.get("name"))).matches()) {
                throw new DownloadException(
                                "A file of report " + id + " has a name that is none: " + file.status.get("name") + ".",
                                false)
                        .of(id);
            }
        }
        try {
            Files.createDirectories(folder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return files.stream()
                .map(file -> file.toFile(folder.resolve((String) file.status.get("name"))))
                .toList();
    }

    private boolean inParts() {
        return status.get("file_count") != null;
    }

    private void requireOneFile() {
        if (inParts()) {
            throw new DownloadException(
                            "Report " + id + " has " + status.get("file_count")
                                    + " files; write them with toFolder, or take each of files().",
                            false)
                    .of(id);
        }
    }

    /** Of each file, which a report has one of at least. */
    private List<Report> listed() {
        List<Object> files = new ArrayList<>();
        if (status.get("files") instanceof List<?> all) { // a status has all of them, or none
            files.addAll(all);
        }
        Map<String, Object> query = new LinkedHashMap<>(Map.of("limit", 1_000));
        for (boolean more = files.isEmpty(); more; more = query.get("cursor") != null) {
            Map<String, Object> page = Json.object(http.call("GET", "/v3/batch/files/" + Http.quote(id))
                    .query(query)
                    .send());
            files.addAll((List<?>) page.get("files"));
            query.put("cursor", page.get("next_cursor"));
        }
        return files.stream()
                .map(file -> new Report(http, id, Json.object(file)))
                .toList();
    }

    private Iterator<Map<String, Object>> openRows() {
        return inParts() ? new PartRows(listed().iterator()) : ownRows();
    }

    /** The rows of files, one after the other. Each is downloaded when the rows of the one before are read. */
    private static final class PartRows implements Iterator<Map<String, Object>> {
        private final Iterator<Report> files;
        private Rows rows;

        PartRows(Iterator<Report> files) {
            this.files = files;
        }

        @Override
        public boolean hasNext() {
            while (rows == null || !rows.hasNext()) {
                rows = null; // those that have ended are closed
                if (!files.hasNext()) {
                    return false;
                }
                rows = files.next().ownRows();
            }
            return true;
        }

        @Override
        public Map<String, Object> next() {
            if (!hasNext()) {
                throw new NoSuchElementException();
            }
            return rows.next();
        }

        void close() {
            if (rows != null) {
                rows.close();
            }
        }
    }

    private Rows ownRows() {
        try {
            FileChannel file = temporary();
            Rows rows = null;
            try {
                fetch(file, Channels.newOutputStream(file), bytes -> {});
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
     * and the file that it leads to is the new one. Devices and pipes get the bytes once they are verified. A report in
     * parts has no such file: use {@link #toFolder}.
     */
    public Path toFile(Path path) {
        requireOneFile();
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
            fetch(file, Channels.newOutputStream(file), bytes -> {});
            Channels.newInputStream(file.position(0)).transferTo(out);
        }
    }

    private void replace(Path target) throws IOException {
        Path part = target.resolveSibling(
                target.getFileName() + "." + UUID.randomUUID().toString().substring(0, 8) + ".part");
        try (FileChannel file = FileChannel.open(
                part, StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            fetch(file, Channels.newOutputStream(file), bytes -> {});
            Files.move(part, target, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(part);
        }
    }

    /**
     * Completes a file of which an earlier download, also of another process, has written the first bytes. If this
     * method fails, what has come stays for the next one, unless it is not the report's: then the file is empty.
     *
     * @param file open for reading and writing
     * @param progress is called with the number of bytes that are there
     * @throws DownloadException if the file is not the one that the status describes
     */
    public void resume(FileChannel file, LongConsumer progress) {
        requireOneFile();
        try {
            fetch(file, Channels.newOutputStream(file), progress);
        } catch (DownloadException e) {
            try {
                file.truncate(0);
            } catch (IOException failed) {
                e.addSuppressed(failed);
            }
            throw e;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Writes the file while it comes. Whether it is the one that the status describes is known at its end.
     *
     * @param progress is called with the number of bytes that are written
     * @throws DownloadException if it is not
     */
    public void copyTo(OutputStream out, LongConsumer progress) {
        requireOneFile();
        try {
            fetch(null, out, progress);
            out.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The name that the service gives the file, which has no folder in it; null if it gives none. */
    public String fileName() {
        var retries = http.retries();
        while (true) {
            try (Http.Answer answer = http.openLink("HEAD", link(), Map.of())) {
                if (answer.status() / 100 == 5) {
                    throw answer.refusal();
                }
                Matcher name = FILE_NAME.matcher(answer.header("content-disposition"));
                return name.find() ? name.group(1) : null;
            } catch (ServiceException | NoAnswerException e) {
                retries.pause(e.of(id));
            }
        }
    }

    private String link() {
        return (String) status.get("download_url");
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

    /**
     * Writes the file of a complete report, which is then as its status says.
     *
     * @param file what out writes to, with the first bytes; null if what is written can be neither read nor deleted
     */
    private void fetch(FileChannel file, OutputStream out, LongConsumer progress) throws IOException {
        long size = ((Number) status.get("file_size")).longValue();
        long have = 0;
        MessageDigest digest = sha256();
        if (file != null) {
            InputStream first = new DigestInputStream(Channels.newInputStream(file.position(0)), digest);
            have = first.transferTo(OutputStream.nullOutputStream());
        }
        if (have > 0) {
            progress.accept(have);
        }
        long most = have;
        String tag = null;
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
                try (Http.Answer answer = http.openLink("GET", link(), headers)) {
                    long skip = 0;
                    if (answer.status() == 416) {
                        throw new DownloadException(
                                "The file of report " + id + " has " + have + " bytes, and the status says " + size
                                        + ".",
                                true);
                    } else if (answer.status() == 200) {
                        if (file != null) {
                            have = 0;
                            digest.reset();
                            file.truncate(0);
                        }
                        skip = have;
                    } else if (answer.status() != 206) {
                        throw answer.refusal();
                    } else if (!answer.header("content-range").startsWith("bytes " + have + "-")) {
                        throw new NoAnswerException(
                                "The answer to a download has another range than the one asked for.", true, null);
                    }
                    String given = answer.header("etag");
                    tag = given.startsWith("\"") ? given : have > 0 ? tag : null;
                    for (int n = answer.read(chunk); n >= 0; n = answer.read(chunk)) {
                        int from = (int) Math.min(skip, n);
                        skip -= from;
                        have += n - from;
                        if (have > size) {
                            throw longer(size);
                        }
                        digest.update(chunk, from, n - from);
                        out.write(chunk, from, n - from);
                        if (have > most) {
                            most = have;
                            retries.progress();
                        }
                        progress.accept(have);
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
            if (have > size) {
                throw longer(size);
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

    private DownloadException longer(long size) {
        return new DownloadException(
                "The file of report " + id + " has more than the " + size + " bytes that the status says.", true);
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
