package millrace.processor.repartition;

import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import millrace.contracts.commands.TaskStarts;

/** How often render workers had started tasks that did not end. */
final class StartedTasks implements CommitMetadata {
    private final Map<Integer, Map<Long, Integer>> before = new HashMap<>();
    private final Map<Integer, TreeMap<Long, Integer>> starts = new HashMap<>();

    StartedTasks(Map<Integer, Commit> before) {
        before.forEach((partition, commit) ->
                this.before.put(partition, TaskStarts.parse(commit.offset(), commit.metadata())));
    }

    @Override
    public void copied(int from, long offset, int to, long newOffset, long committed) {
        Integer count = before.getOrDefault(from, Map.of()).get(offset);
        if (count != null) {
            starts.computeIfAbsent(to, partition -> new TreeMap<>()).put(newOffset, count);
        }
    }

    @Override
    public String of(int to, long committed) {
        return TaskStarts.text(committed, starts.getOrDefault(to, new TreeMap<>()));
    }
}
