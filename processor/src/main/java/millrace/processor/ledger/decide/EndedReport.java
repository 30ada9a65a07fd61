package millrace.processor.ledger.decide;

import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What the ledger keeps of a report that has ended for good: enough to know it again, and what is still to be deleted.
 * Its status and its request are in their topics.
 *
 * @param attempt the last one
 * @param file the name of its file, or the {@link #folder} of its files; null if it has none or it was handed out
 *     for deletion
 * @param fileDue when the file is to be deleted; null without a file
 * @param knownUntil when the report is forgotten
 * @param entityList whether the entities of its request are in the report store
 * @param filterLists columns whose filters are there
 */
public record EndedReport(
        UUID id,
        int attempt,
        @Nullable String file,
        @Nullable Instant fileDue,
        Instant knownUntil,
        boolean entityList,
        List<String> filterLists) {

    public EndedReport {
        if ((file == null) != (fileDue == null)) {
            throw new IllegalArgumentException("a file and its time belong together: " + file + ", " + fileDue);
        }
        fileDue = fileDue == null ? null : wholeSecond(fileDue);
        knownUntil = wholeSecond(knownUntil);
        filterLists = List.copyOf(filterLists);
    }

    /** What the names of all files of an attempt begin with; in what is to be deleted it stands for all of them. */
    public static String folder(UUID reportId, int attempt) {
        return reportId + "/" + attempt + "/";
    }

    /** Whether the file of this name is among those that it has. */
    boolean has(String name) {
        return file != null && (file.endsWith("/") ? name.startsWith(file) : name.equals(file));
    }

    /** When something is to be done about it. */
    public Instant due() {
        return fileDue != null && fileDue.isBefore(knownUntil) ? fileDue : knownUntil;
    }

    /** The same report after its file was handed out for deletion. */
    public EndedReport withoutFile() {
        return new EndedReport(id, attempt, null, null, knownUntil, entityList, filterLists);
    }

    /** The same report after all that it had was handed out for deletion. */
    public EndedReport erased() {
        return new EndedReport(id, attempt, null, null, knownUntil, false, List.of());
    }

    /** The same report, of which nothing is due before this time. */
    public EndedReport postponed(Instant until) {
        return new EndedReport(
                id,
                attempt,
                file,
                fileDue == null ? null : later(fileDue, until),
                later(knownUntil, until),
                entityList,
                filterLists);
    }

    private static Instant later(Instant one, Instant other) {
        return one.isAfter(other) ? one : other;
    }

    /** The stores keep seconds. Nothing is deleted too early. */
    private static Instant wholeSecond(Instant time) {
        Instant second = Instant.ofEpochSecond(time.getEpochSecond());
        return second.equals(time) ? second : second.plusSeconds(1);
    }
}
