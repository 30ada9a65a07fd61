package millrace.processor.ledger.streams;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Consumer;
import millrace.contracts.commands.AccountCommand;
import millrace.processor.ledger.streams.LocalWorkers.HandedTask;
import org.jspecify.annotations.Nullable;

/** Local workers whose answers a test gives. */
public final class ManualWorkers implements LocalWorkers {
    private final Map<UUID, Consumer<AccountCommand>> taken = new LinkedHashMap<>();
    private final List<UUID> withdrawn = new ArrayList<>();
    private final List<AccountCommand> discarded = new ArrayList<>();
    private int answeredInAll;
    private int lateInAll;

    @Override
    public Run take(HandedTask task, Consumer<AccountCommand> answered) {
        UUID report = task.task().slice().reportId();
        taken.put(report, answered);
        return () -> withdrawn.add(report);
    }

    @Override
    public void discard(AccountCommand answer) {
        discarded.add(answer);
    }

    @Override
    public void committed(int answered, int late) {
        answeredInAll += answered;
        lateInAll += late;
    }

    public int answered() {
        return answeredInAll;
    }

    public int late() {
        return lateInAll;
    }

    /** The reports whose tasks were taken, also those that were answered. */
    public List<UUID> taken() {
        return List.copyOf(taken.keySet());
    }

    public void answer(UUID report, AccountCommand answer) {
        @Nullable Consumer<AccountCommand> answered = taken.get(report);
        Objects.requireNonNull(answered).accept(answer);
    }

    public List<UUID> withdrawn() {
        return withdrawn;
    }

    public List<AccountCommand> discarded() {
        return discarded;
    }
}
