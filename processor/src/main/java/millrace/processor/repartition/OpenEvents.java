package millrace.processor.repartition;

import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import millrace.contracts.delivery.OpenOffsets;

/** Which events the notifiers had neither delivered nor saved. */
final class OpenEvents implements CommitMetadata {
    private final Map<Integer, Commit> before;
    private final Map<Integer, OpenOffsets> known = new HashMap<>();
    private final Map<Integer, Long> above = new HashMap<>();
    private final Map<Integer, BitSet> open = new HashMap<>();

    OpenEvents(Map<Integer, Commit> before) {
        this.before = before;
        before.forEach((partition, commit) ->
                OpenOffsets.parse(commit.metadata()).ifPresent(offsets -> known.put(partition, offsets)));
    }

    @Override
    public void copied(int from, long offset, int to, long newOffset, long committed) {
        Commit commit = before.get(from);
        OpenOffsets offsets = known.get(from);
        if (commit == null || offsets == null) {
            return;
        }
        long distance = offset - commit.offset();
        if (distance >= 0 && distance < offsets.above()) {
            above.put(to, newOffset + 1 - committed);
            if (offsets.open().get(Math.toIntExact(distance))) {
                open.computeIfAbsent(to, partition -> new BitSet()).set(Math.toIntExact(newOffset - committed));
            }
        }
    }

    @Override
    public String of(int to, long committed) {
        return Optional.ofNullable(above.get(to))
                .map(number -> new OpenOffsets(number, open.getOrDefault(to, new BitSet())).text())
                .orElse("");
    }

    @Override
    public List<Long> bounds(int from) {
        Commit commit = before.get(from);
        OpenOffsets offsets = known.get(from);
        // Also without metadata: what was never read must not come between what was.
        return commit == null ? List.of() : List.of(commit.offset() + (offsets == null ? 0 : offsets.above()));
    }
}
