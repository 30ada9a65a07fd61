package millrace.processor.ledger.decide;

import java.time.Instant;
import java.util.Collections;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import millrace.contracts.commands.SliceRef;
import millrace.contracts.reports.ResultCounts;
import org.jspecify.annotations.Nullable;

/**
 * The progress of an open attempt. Slices are handed out in order, so those below {@code next} that are not in flight
 * are done.
 *
 * @param dataVersion that the whole attempt reads
 * @param next the first slice that has not been handed out
 * @param done slices answered
 * @param totals over the slices answered
 * @param limit most rows of the report, or null; its slices go one after the other, each with the rest of the limit
 * @param toSkip rows that are still to be left out before the first one of the report; null where it has no offset. Until
 *     it is 0 the slices go one after the other, too
 * @param queued whether it holds a ticket for a turn
 * @param flights by slice, {@link SliceRef#ASSEMBLY} and {@linkplain SliceRef#ofPart parts} among them
 * @param slicesPerPart how many slices, one after the other, become one file; null if all of them do
 */
public record OpenAttempt(
        String dataVersion,
        Lane lane,
        int slices,
        int next,
        int done,
        ResultCounts totals,
        @Nullable Integer limit,
        boolean queued,
        Map<Integer, Flight> flights,
        @Nullable Long toSkip,
        @Nullable Integer slicesPerPart) {

    /**
     * A slice, or the assembly, that is handed out.
     *
     * @param dispatch number of this dispatch, from 1
     * @param due when it counts as lost, unless its worker answers before
     */
    record Flight(int dispatch, Instant due) {}

    public OpenAttempt {
        flights = Collections.unmodifiableMap(new TreeMap<>(flights));
    }

    static OpenAttempt planned(Fact.Started start) {
        Integer offset = start.offset();
        return new OpenAttempt(
                start.dataVersion(),
                start.lane(),
                start.slices(),
                0,
                0,
                ResultCounts.NONE,
                start.limit(),
                false,
                Map.of(),
                offset == null ? null : offset.longValue(),
                start.slicesPerPart());
    }

    boolean limitUsed() {
        return limit != null && totals.rows() >= limit;
    }

    /** Whether every slice that the report needs is answered. */
    public boolean rendered() {
        return flights.isEmpty() && (next == slices || limitUsed());
    }

    /** Rows that are left of the limit, or null without one. */
    @Nullable
    Long rowsLeft() {
        return limit == null ? null : Math.max(0, limit - totals.rows());
    }

    /** Whether one more slice may be handed out, {@code atOnce} being most slices of a report in flight. */
    boolean wantsTurn(int atOnce) {
        boolean free = flights.size() < atOnce && (!inTurn() || !hasSliceInFlight());
        return next < slices && !limitUsed() && free;
    }

    /** Parts that are being put together say nothing of the slices after them. */
    private boolean hasSliceInFlight() {
        return flights.keySet().stream().anyMatch(slice -> slice >= 0);
    }

    /** Whether a slice needs to know what came of those before it. */
    private boolean inTurn() {
        return limit != null || rowsToSkip() != null;
    }

    /** Rows that the next slice leaves out, or null for none. */
    @Nullable
    public Long rowsToSkip() {
        return toSkip == null || toSkip == 0 ? null : toSkip;
    }

    /** Whether it becomes several files. */
    public boolean inParts() {
        return slicesPerPart != null;
    }

    /** Number of the part of a slice, from 0. */
    int part(int slice) {
        return slicesPerPart == null ? 0 : slice / slicesPerPart;
    }

    /** Number of parts that have slices which are handed out. */
    int parts() {
        return slicesPerPart == null ? 1 : Math.ceilDiv(next, slicesPerPart);
    }

    /** The first slice of a part, with which its file begins. */
    int first(int part) {
        return slicesPerPart == null ? 0 : part * slicesPerPart;
    }

    /** The slice after the last one of a part that is handed out. */
    private int end(int part) {
        return slicesPerPart == null ? next : Math.min(next, (part + 1) * slicesPerPart);
    }

    /** The slices of a part that are handed out. */
    IntStream slices(int part) {
        return IntStream.range(first(part), end(part));
    }

    /** Whether the part has several slices, which are put together. */
    boolean isJoined(int part) {
        return end(part) - first(part) > 1;
    }

    /** Whether every slice of the part that the report needs is answered. */
    boolean rendered(int part) {
        boolean whole = end(part) == first(part + 1) || limitUsed();
        return whole && slices(part).noneMatch(flights::containsKey);
    }

    public double fraction() {
        return (double) done / slices;
    }

    Optional<Instant> firstDue() {
        return flights.values().stream().map(Flight::due).min(Comparator.naturalOrder());
    }

    OpenAttempt queued(boolean holdsTicket) {
        return with(next, done, totals, holdsTicket, flights, toSkip);
    }

    OpenAttempt dispatched(SliceRef slice, Instant due) {
        var flight = new Flight(slice.dispatch(), due);
        int after = Math.max(next, slice.slice() + 1);
        return with(after, done, totals, queued, changed(f -> f.put(slice.slice(), flight)), toSkip);
    }

    OpenAttempt renewed(int slice, Instant due) {
        Map<Integer, Flight> renewed =
                changed(f -> f.computeIfPresent(slice, (s, flight) -> new Flight(flight.dispatch(), due)));
        return with(next, done, totals, queued, renewed, toSkip);
    }

    OpenAttempt answered(int slice, ResultCounts counts, long skipped) {
        Long left = toSkip == null ? null : Math.max(0, toSkip - skipped);
        return with(next, done + 1, totals.plus(counts), queued, changed(f -> f.remove(slice)), left);
    }

    /** The slices of a part are put together. */
    OpenAttempt joined(int part) {
        return with(next, done, totals, queued, changed(f -> f.remove(SliceRef.ofPart(part))), toSkip);
    }

    private OpenAttempt with(
            int newNext,
            int newDone,
            ResultCounts newTotals,
            boolean newQueued,
            Map<Integer, Flight> newFlights,
            @Nullable Long newToSkip) {
        return new OpenAttempt(
                dataVersion,
                lane,
                slices,
                newNext,
                newDone,
                newTotals,
                limit,
                newQueued,
                newFlights,
                newToSkip,
                slicesPerPart);
    }

    private Map<Integer, Flight> changed(Consumer<Map<Integer, Flight>> change) {
        Map<Integer, Flight> copy = new TreeMap<>(flights);
        change.accept(copy);
        return copy;
    }
}
