package millrace.processor.ledger.store;

import millrace.runtime.settings.SettingsException;

/**
 * The version number of the stored state of a partition, written with the state, so that no build reads a format that
 * it does not know. A change of a stored value that earlier builds cannot handle increments {@link #NEWEST} and adds a
 * migration to {@link #write}; one that only some reports need is written with the first of them, so that the way back
 * to the build before stays open until then.
 */
public final class StateFormat {
    /**
     * <ol>
     *   <li>Builds before v0.2.0: as the next one, without a number.
     *   <li>v0.2.0.
     *   <li>v0.3.0, once a report has begun with a later row: earlier builds would render it, and charge, from its first one.
     * </ol>
     */
    static final int NEWEST = 3;

    private static final int OF_EVERY_STATE = 2;
    private static final String KEY = "ledger";

    private final TypedStore<Integer> typedStore;
    private int written;

    private StateFormat(TypedStore<Integer> typedStore, int written) {
        this.typedStore = typedStore;
        this.written = written;
    }

    /** @throws SettingsException where a later build has written the state */
    static StateFormat read(TypedStore<Integer> typedStore) {
        Integer form = typedStore.get(KEY);
        if (form != null && form > NEWEST) {
            throw new SettingsException("The ledger's state in Kafka is of form " + form
                    + ", and this build knows it up to form " + NEWEST
                    + ": a later build has worked on it. Nothing was changed. Start that build, or one after it.");
        }
        return new StateFormat(typedStore, form == null ? 0 : form);
    }

    /**
     * To be called before anything else is written or committed. Every partition with a committed offset then has
     * state, even where its commands changed nothing, so that lost state is not mistaken for state that was never
     * written.
     */
    public void write() {
        atLeast(OF_EVERY_STATE);
    }

    /** To be called before a report is accepted that does not begin with its first row. */
    public void writeWithOffsets() {
        atLeast(NEWEST);
    }

    private void atLeast(int form) {
        if (written < form) {
            typedStore.put(KEY, form);
            written = form;
        }
    }
}
