package millrace.processor.warehouse.duckdb;

import java.util.List;

/**
 * Divides the entities of a slice into statements. The whole result of a statement is held outside the Java heap, so
 * many small entities are read together, and large ones alone. The first size follows from the catalog's limit of rows
 * per entity, the next ones from the rows that were read.
 */
final class EntityBatches {
    /** Rows that a statement should return. */
    private static final long AIM = 50_000;
    /** Rows that the first statement may return, by the catalog's limit. */
    private static final long FIRST = 200_000;
    /** Rows that later statements may return, by the catalog's limit. */
    private static final long MOST = 2_000_000;

    private final List<String> entities;
    private final long mostPerEntity;
    private final boolean dense;
    private int from;
    private int asked;

    public EntityBatches(List<String> entities, long mostPerEntity, boolean dense) {
        this.entities = entities;
        this.dense = dense;
        this.mostPerEntity = Math.max(1, mostPerEntity);
    }

    /**
     * The entities of the next statement; empty at the end.
     *
     * @param rows number of rows that the last statement returned
     */
    public List<String> next(long rows) {
        long size =
                asked == 0 ? FIRST / mostPerEntity : Math.min(AIM * asked / Math.max(1, rows), MOST / mostPerEntity);
        int to = Math.min(entities.size(), from + rounded(size));
        List<String> next = entities.subList(from, to);
        asked = next.size();
        from = to;
        return next;
    }

    /** Rounds down to a number of branches or list values that statements have, so that none is empty; at least 1. */
    private int rounded(long size) {
        int rounded = largest(SliceSql.BRANCHES, size, 1);
        return dense ? largest(SliceSql.LISTS, size, rounded) : rounded;
    }

    private static int largest(int[] numbers, long most, int least) {
        int largest = least;
        for (int number : numbers) {
            if (number <= most) {
                largest = number;
            }
        }
        return largest;
    }
}
