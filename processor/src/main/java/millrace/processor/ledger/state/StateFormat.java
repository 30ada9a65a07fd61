package millrace.processor.ledger.state;

import java.util.Collection;
import java.util.function.BooleanSupplier;
import millrace.runtime.settings.SettingsException;

/**
 * The version number of the stored state of a partition, written with the state, so that no build reads a format that
 * it does not know. A change of a stored value that earlier builds cannot handle increments {@link #NEWEST} and adds a
 * step to {@link StateMigration}.
 */
public final class StateFormat {
    /**
     * <ol>
     *   <li>Builds before v0.2.0: as the next one, without a number.
     *   <li>v0.2.0.
     *   <li>A report may begin with a later row: earlier builds would render it, and charge, from its first one.
     *   <li>v0.3.0: reports that are over are in {@link EndedReports}, which earlier builds would not know again. Some may
     *       still be as they were before.
     *   <li>v0.3.0 once {@link StateMigration} is done.
     * </ol>
     */
    static final int NEWEST = 5;

    private static final int BEFORE_MIGRATION = 4;
    static final int NONE = 0;
    static final String KEY = "ledger";

    private final TypedStore<Integer> typedStore;
    private final BooleanSupplier isEmpty;
    private int written = NONE;

    private StateFormat(TypedStore<Integer> typedStore, BooleanSupplier isEmpty) {
        this.typedStore = typedStore;
        this.isEmpty = isEmpty;
    }

    /**
     * @param isEmpty whether there is no state, so that there is nothing to migrate; asked before the first write
     * @throws SettingsException if a later build has written the state
     */
    static StateFormat read(TypedStore<Integer> typedStore, BooleanSupplier isEmpty) {
        Integer form = typedStore.get(KEY);
        if (form != null && form > NEWEST) {
            throw new SettingsException("The ledger's state in Kafka is of form " + form
                    + ", and this build knows it up to form " + NEWEST
                    + ": a later build has worked on it. Nothing was changed. Start that build, or one after it.");
        }
        return new StateFormat(typedStore, isEmpty);
    }

    /** The form of state that comes from partitions of these forms: the newest, but migrated only if all of them are. */
    static int merged(Collection<Integer> forms) {
        int newest = forms.stream().mapToInt(Integer::intValue).max().orElse(NONE);
        boolean same = forms.stream().allMatch(form -> form == newest);
        return newest == NEWEST && !same ? BEFORE_MIGRATION : newest;
    }

    /**
     * To be called before anything else is written or committed. Every partition with a committed offset then has
     * state, even if its commands changed nothing, so that lost state is not mistaken for state that was never
     * written.
     */
    public void write() {
        if (written == NONE) {
            Integer form = typedStore.get(KEY);
            written = form == null ? NONE : form;
            atLeast(form == null && isEmpty.getAsBoolean() ? NEWEST : BEFORE_MIGRATION);
        }
    }

    /** To be called when {@link StateMigration} is done. */
    void writeMigrated() {
        atLeast(NEWEST);
    }

    /** Whether all reports that are over are in {@link EndedReports}. */
    boolean isMigrated() {
        return written == NEWEST;
    }

    private void atLeast(int form) {
        if (written < form) {
            typedStore.put(KEY, form);
            written = form;
        }
    }
}
