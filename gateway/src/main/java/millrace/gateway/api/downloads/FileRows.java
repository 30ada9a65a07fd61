package millrace.gateway.api.downloads;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.List;

/** The rows of a report's file, from its head on. Closing it closes the file. */
interface FileRows extends AutoCloseable {
    /** Names of the columns; of a JSON file without rows there are none. */
    List<String> columns();

    /**
     * Writes the next row as an array of texts, numbers and nulls; numbers with the digits of the
     * file. Returns false at the end of the file.
     *
     * @throws IOException also where the file is damaged
     */
    boolean writeNext(JsonGenerator out) throws IOException;

    @Override
    void close() throws IOException;
}
