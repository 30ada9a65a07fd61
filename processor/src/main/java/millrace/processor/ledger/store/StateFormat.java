package millrace.processor.ledger.store;

import millrace.runtime.settings.SettingsException;

/**
 * In which form the state of a partition is written: a number in the state itself, so that no build takes what it does not know for
 * something that it knows. Whoever changes the form of a stored value, in a way that earlier builds cannot work on, counts the number
 * up and adds the step from the form before it to {@link #write}.
 */
public final class StateFormat {
    /**
     * <ol>
     *   <li>Builds before v0.2.0: as the next one, without a number.
     *   <li>v0.2.0.
     * </ol>
     */
    static final int NEWEST = 2;

    private static final String KEY = "ledger";

    private final TypedStore<Integer> typedStore;
    private boolean written;

    private StateFormat(TypedStore<Integer> typedStore, boolean written) {
        this.typedStore = typedStore;
        this.written = written;
    }

    /** @throws SettingsException where a later build has written it */
    static StateFormat read(TypedStore<Integer> typedStore) {
        Integer form = typedStore.get(KEY);
        if (form != null && form != NEWEST) {
            throw new SettingsException("The ledger's state in Kafka is of form " + form
                    + ", and this build knows it up to form " + NEWEST
                    + ": a later build has worked on it. Nothing was changed. Start that build, or one after it.");
        }
        return new StateFormat(typedStore, form != null);
    }

    /**
     * To be called before anything else is written or committed. So wherever an offset is committed there is a state, however
     * little the commands have changed, and a state that is gone is not taken for one that nobody has written yet.
     */
    public void write() {
        if (!written) {
            typedStore.put(KEY, NEWEST);
            written = true;
        }
    }
}
