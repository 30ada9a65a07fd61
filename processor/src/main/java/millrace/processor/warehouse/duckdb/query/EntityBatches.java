package millrace.processor.warehouse.duckdb.query;

import java.util.List;

/**
 * How many entities the next statement asks about: a statement's result is held whole, outside the Java heap, so many small
 * entities go together and large ones alone. Begins with what the catalog says that an entity can have, goes on with what they
 * did have.
 */
public final class EntityBatches {
    /** Rows that a statement should bring. */
    private static final long AIM = 50_000;
    /** Rows that a statement may bring, as far as the catalog can tell, before anything is known. */
    private static final long FIRST = 200_000;
    /** The same, later on. */
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
     * The entities of the next statement; none at the end.
     *
     * @param rows how many the last statement brought
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

    /** The largest number of branches, or of places, that is not above, so that none is empty; at least 1. */
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
