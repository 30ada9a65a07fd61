package millrace.files;

import java.io.BufferedReader;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import millrace.contracts.requests.EntityList;
import millrace.contracts.requests.EntityRange;
import millrace.contracts.requests.FilterList;
import millrace.files.store.ReportStore;

/** Reads the lists of entities and filter values that requests keep in the report store. */
public final class EntityLists {
    private EntityLists() {}

    /**
     * Reads the entities of a range, and no more of the file than that needs.
     *
     * @throws java.nio.file.NoSuchFileException where the list is deleted
     * @throws IOException also where the file is another list
     */
    public static List<String> read(ReportStore store, EntityRange range) throws IOException {
        try (BufferedReader lines = open(store, range.file(), range.fileBytes(), range.offset())) {
            for (int i = 0; i < range.skip(); i++) {
                next(lines, range.file());
            }
            return next(lines, range.file(), range.count());
        }
    }

    /** Reads all values of a filter. Throws as {@link #read(ReportStore, EntityRange)}. */
    public static List<String> read(ReportStore store, String file, FilterList list) throws IOException {
        try (BufferedReader lines = open(store, file, list)) {
            return next(lines, file, list.count());
        }
    }

    /** Opens a list with one entity per line. The caller closes it. */
    public static BufferedReader open(ReportStore store, String file, EntityList list) throws IOException {
        return open(store, file, list.bytes(), 0);
    }

    /** As {@link #open(ReportStore, String, EntityList)}. */
    public static BufferedReader open(ReportStore store, String file, FilterList list) throws IOException {
        return open(store, file, list.bytes(), 0);
    }

    /** As {@link #open(ReportStore, String, FilterList)}, without decoding it. */
    public static InputStream bytes(ReportStore store, String file, FilterList list) throws IOException {
        return Channels.newInputStream(channel(store, file, list.bytes(), 0));
    }

    private static BufferedReader open(ReportStore store, String file, long size, long offset) throws IOException {
        return new BufferedReader(Channels.newReader(channel(store, file, size, offset), StandardCharsets.UTF_8));
    }

    private static SeekableByteChannel channel(ReportStore store, String file, long size, long offset)
            throws IOException {
        SeekableByteChannel channel = store.open(file);
        try {
            if (channel.size() != size) {
                throw new IOException("list " + file + " has " + channel.size() + " bytes, not " + size);
            }
            return channel.position(offset);
        } catch (IOException e) {
            channel.close();
            throw e;
        }
    }

    private static List<String> next(BufferedReader lines, String file, int count) throws IOException {
        List<String> values = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            values.add(next(lines, file));
        }
        return values;
    }

    private static String next(BufferedReader lines, String file) throws IOException {
        String line = lines.readLine();
        if (line == null) {
            throw new EOFException("list " + file + " ends too soon");
        }
        return line;
    }
}
