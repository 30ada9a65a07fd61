package millrace.processor.ledger.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import millrace.runtime.settings.SettingsException;
import org.junit.jupiter.api.Test;

class StateFormatTest {
    private final TypedStore<Integer> form = new TypedStore<>(MemoryStore.open(), LedgerStores.FORM, Integer.class);

    @Test
    void newStateHasTheNewestForm() {
        StateFormat.read(form, () -> true).write();
        assertThat(form.get("ledger")).isEqualTo(StateFormat.NEWEST);
        StateFormat again = StateFormat.read(form, () -> false);
        again.write();
        assertThat(again.isMigrated()).isTrue();
    }

    @Test
    void stateOfEarlierBuildsIsClosedToThemAndMigrated() {
        form.put("ledger", 3);
        StateFormat read = StateFormat.read(form, () -> false);
        assertThat(form.get("ledger")).isEqualTo(3);
        read.write();
        assertThat(form.get("ledger")).isEqualTo(4);
        assertThat(read.isMigrated()).isFalse();
        read.writeMigrated();
        read.write();
        assertThat(form.get("ledger")).isEqualTo(StateFormat.NEWEST);
        assertThat(read.isMigrated()).isTrue();
    }

    @Test
    void stateOfALaterBuildIsRefusedAndStays() {
        form.put("ledger", StateFormat.NEWEST + 1);
        assertThatThrownBy(() -> StateFormat.read(form, () -> false))
                .isInstanceOf(SettingsException.class)
                .hasMessageContaining("of form " + (StateFormat.NEWEST + 1));
        assertThat(form.get("ledger")).isEqualTo(StateFormat.NEWEST + 1);
    }
}
