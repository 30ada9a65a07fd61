package millrace.processor.warehouse.duckdb;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import millrace.catalog.dataset.Dataset;
import millrace.processor.warehouse.PortableSql;
import millrace.processor.warehouse.SliceQuery;
import millrace.processor.warehouse.WarehouseException;
import millrace.processor.warehouse.WarehouseException.Reason;
import org.duckdb.DuckDBChunkedResult;
import org.rocksdb.CompressionType;
import org.rocksdb.EnvOptions;
import org.rocksdb.Options;
import org.rocksdb.RocksDBException;
import org.rocksdb.SstFileWriter;

/** Builds an {@link EntityIndexFile} by reading a version once, in the order of its rows. */
final class EntityIndexBuilder {
    /** Rows of one statement, whose whole result is held outside the Java heap. */
    private static final int STEP = 20_000;
    /** Entity, granularity and {@code subdomains}; the indexed columns follow. */
    private static final int KEYS = 3;
    /** Ends the names of files that are being written. */
    static final String UNFINISHED = ".unfinished";

    private final EntityIndexFiles.Source source;
    private final IndexedColumns columns;
    private final BooleanSupplier stopped;

    private long rows;
    private byte[] prefix = {};
    private int blocks;
    private RowBlockWriter block;

    /** @param stopped whether to stop, since the process closes */
    EntityIndexBuilder(EntityIndexFiles.Source source, BooleanSupplier stopped) {
        this.source = source;
        this.columns = source.columns();
        this.stopped = stopped;
        this.block = new RowBlockWriter(columns.types());
    }

    /**
     * Builds the file, or leaves none.
     *
     * @throws RocksDBException also where the rows are not sorted by entity, granularity and {@code subdomains}
     */
    void run(DuckDbSession session, Path file, EntityIndexFile.Stamp stamp)
            throws IOException, WarehouseException, SQLException, RocksDBException {
        Path temporary = file.resolveSibling(UUID.randomUUID() + UNFINISHED);
        try (var env = new EnvOptions();
                var options = new Options().setCompressionType(CompressionType.LZ4_COMPRESSION);
                var out = new SstFileWriter(env, options)) {
            Files.createDirectories(file.getParent());
            out.open(temporary.toString());
            out.put(stamp.key(), stamp.bytes());
            // Ids of deleted rows are missing, so rows are counted.
            for (long from = 0; rows < source.rows(); from += STEP) {
                addRows(session, from, out);
            }
            finishBlock(out);
            out.finish();
            Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(temporary);
        }
    }

    private void addRows(DuckDbSession session, long from, SstFileWriter out)
            throws WarehouseException, SQLException, RocksDBException {
        if (stopped.getAsBoolean()) {
            throw new WarehouseException(Reason.CANCELLED, "the warehouse is closed");
        }
        long last = from + STEP - 1;
        var row = new ChunkRow(KEYS + columns.all().size());
        try (DuckDBChunkedResult result = session.query(select(), statement -> {
            statement.setLong(1, from);
            statement.setLong(2, last);
        })) {
            while (result.nextChunk()) {
                row.enter(result.chunk());
                while (row.next()) {
                    rows++;
                    add(row, out);
                }
            }
        }
    }

    private String select() {
        Dataset dataset = source.dataset();
        StringBuilder sql = new StringBuilder("SELECT \"" + dataset.entity().column() + "\", \"granularity\", ")
                .append(dataset.hasSubdomains() ? "CAST(\"subdomains\" AS BIGINT)" : "0::BIGINT");
        for (SliceQuery.Column column : columns.all()) {
            sql.append(", ").append(PortableSql.cast(PortableSql.quoted(column.name()), column.type()));
        }
        return sql + " FROM " + source.table() + " WHERE rowid BETWEEN ? AND ?";
    }

    private void add(ChunkRow row, SstFileWriter out) throws RocksDBException {
        if (row.isNull(0) || row.isNull(1) || row.isNull(2)) {
            return; // no request can select the row
        }
        byte[] of = EntityIndexFile.prefix(row.text(0), row.text(1), row.integer(2) != 0);
        boolean another = !Arrays.equals(of, prefix);
        if (another || block.rows() == RowBlockWriter.MOST_ROWS) {
            finishBlock(out);
            blocks = another ? 0 : blocks + 1;
            prefix = of;
        }
        block.add(row, KEYS);
    }

    private void finishBlock(SstFileWriter out) throws RocksDBException {
        if (block.rows() > 0) {
            out.put(EntityIndexFile.key(prefix, blocks), block.bytes());
            block = new RowBlockWriter(columns.types());
        }
    }
}
