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
     *   <li>A report may become several files: earlier builds would put it together to one, and delete one of them. It is
     *       written with the first such report, and not when a partition is opened, so that the build before can be
     *       started again until then.
     * </ol>
     */
    public static final int NEWEST = 6;

    private static final int MIGRATED = 5;
    private static final int BEFORE_MIGRATION = 4;
    static final int NONE = 0;
    static final String KEY = "ledger";
    /** Has a value if the form is the newest and the migration is still to be done. */
    static final String UNMIGRATED = "unmigrated";

    private final TypedStore<Integer> typedStore;
    private final BooleanSupplier isEmpty;
    private int written = NONE;
    private boolean unmigrated;

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
        return newest == MIGRATED && !areMigrated(forms) ? BEFORE_MIGRATION : newest;
    }

    /** Whether state of all these forms is migrated, unless it says {@link #UNMIGRATED}. */
    static boolean areMigrated(Collection<Integer> forms) {
        return forms.stream().allMatch(form -> form >= MIGRATED);
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
            unmigrated = typedStore.get(UNMIGRATED) != null;
            atLeast(form == null && isEmpty.getAsBoolean() ? MIGRATED : BEFORE_MIGRATION);
        }
    }

    /** To be called when {@link StateMigration} is done. */
    void writeMigrated() {
        atLeast(MIGRATED);
        if (unmigrated) {
            typedStore.remove(UNMIGRATED);
            unmigrated = false;
        }
    }

    /** To be called with the first value that earlier builds would work on wrongly. */
    void writeNewest() {
        if (!isMigrated()) {
            typedStore.put(UNMIGRATED, BEFORE_MIGRATION);
            unmigrated = true;
        }
        atLeast(NEWEST);
    }

    /** Whether all reports that are over are in {@link EndedReports}. */
    boolean isMigrated() {
        return written >= MIGRATED && !unmigrated;
    }

    private void atLeast(int form) {
        if (written < form) {
            typedStore.put(KEY, form);
            written = form;
        }
    }
}
