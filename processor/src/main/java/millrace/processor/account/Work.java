package millrace.processor.account;

import java.time.Instant;
import java.util.Collections;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import millrace.contracts.Counts;
import millrace.contracts.SliceRef;
import org.jspecify.annotations.Nullable;

/**
 * How far the current attempt of an open report is. Slices are handed out in order, so those below {@code next} that are not
 * in flight are done.
 *
 * @param dataVersion that the whole attempt reads
 * @param next the first slice that has not been handed out
 * @param done slices answered
 * @param totals over the slices answered
 * @param limit most rows of the report, or null; its slices go one after the other, each with the rest of the limit
 * @param queued whether it holds a ticket for a turn
 * @param flights by slice, {@link SliceRef#ASSEMBLY} among them
 */
public record Work(
        String dataVersion,
        Lane lane,
        int slices,
        int next,
        int done,
        Counts totals,
        @Nullable Integer limit,
        boolean queued,
        Map<Integer, Flight> flights) {

    public Work {
        flights = Collections.unmodifiableMap(new TreeMap<>(flights));
    }

    static Work planned(Fact.Started start) {
        return new Work(
                start.dataVersion(), start.lane(), start.slices(), 0, 0, Counts.NONE, start.limit(), false, Map.of());
    }

    boolean limitUsed() {
        return limit != null && totals.rows() >= limit;
    }

    /** Whether every slice that the report needs is answered. */
    boolean rendered() {
        return flights.isEmpty() && (next == slices || limitUsed());
    }

    /** Rows that are left of the limit, or null without one. */
    @Nullable
    Long rowsLeft() {
        return limit == null ? null : Math.max(0, limit - totals.rows());
    }

    /** Whether one more slice may be handed out, {@code atOnce} being most slices of a report in flight. */
    boolean wantsTurn(int atOnce) {
        return next < slices && !limitUsed() && flights.size() < (limit == null ? atOnce : 1);
    }

    double fraction() {
        return (double) done / slices;
    }

    Optional<Instant> firstDue() {
        return flights.values().stream().map(Flight::due).min(Comparator.naturalOrder());
    }

    Work queued(boolean holdsTicket) {
        return new Work(dataVersion, lane, slices, next, done, totals, limit, holdsTicket, flights);
    }

    Work dispatched(SliceRef slice, Instant due) {
        return new Work(
                dataVersion,
                lane,
                slices,
                Math.max(next, slice.slice() + 1),
                done,
                totals,
                limit,
                queued,
                changed(f -> f.put(slice.slice(), new Flight(slice.dispatch(), due))));
    }

    Work renewed(int slice, Instant due) {
        Map<Integer, Flight> renewed =
                changed(f -> f.computeIfPresent(slice, (s, flight) -> new Flight(flight.dispatch(), due)));
        return new Work(dataVersion, lane, slices, next, done, totals, limit, queued, renewed);
    }

    Work answered(int slice, Counts counts) {
        Map<Integer, Flight> rest = changed(f -> f.remove(slice));
        return new Work(dataVersion, lane, slices, next, done + 1, totals.plus(counts), limit, queued, rest);
    }

    private Map<Integer, Flight> changed(Consumer<Map<Integer, Flight>> change) {
        Map<Integer, Flight> copy = new TreeMap<>(flights);
        change.accept(copy);
        return copy;
    }
}
