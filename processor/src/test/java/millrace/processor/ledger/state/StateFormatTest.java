package millrace.processor.ledger.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import millrace.runtime.settings.SettingsException;
import org.junit.jupiter.api.Test;

class StateFormatTest {
    private final TypedStore<Integer> form = new TypedStore<>(MemoryStore.open(), LedgerStores.FORM, Integer.class);

    @Test
    void newStateIsMigrated() {
        StateFormat.read(form, () -> true).write();
        assertThat(form.get("ledger")).isEqualTo(5);
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
        assertThat(form.get("ledger")).isEqualTo(5);
        assertThat(read.isMigrated()).isTrue();
    }

    /** So that the build before can be started again as long as nobody has used what is new. */
    @Test
    void theNewestFormIsWrittenWithTheFirstValueThatNeedsIt() {
        StateFormat read = StateFormat.read(form, () -> true);
        read.write();
        read.writeNewest();
        assertThat(form.get("ledger")).isEqualTo(StateFormat.NEWEST);
        StateFormat again = StateFormat.read(form, () -> false);
        again.write();
        assertThat(form.get("ledger")).isEqualTo(StateFormat.NEWEST);
        assertThat(again.isMigrated()).isTrue();
    }

    @Test
    void theNewestFormDoesNotEndAMigration() {
        form.put("ledger", 3);
        StateFormat read = StateFormat.read(form, () -> false);
        read.write();
        read.writeNewest();
        assertThat(form.get("ledger")).isEqualTo(StateFormat.NEWEST);
        assertThat(read.isMigrated()).isFalse();
        StateFormat again = StateFormat.read(form, () -> false);
        again.write();
        assertThat(again.isMigrated()).isFalse();
        again.writeMigrated();
        assertThat(again.isMigrated()).isTrue();
        StateFormat last = StateFormat.read(form, () -> false);
        last.write();
        assertThat(last.isMigrated()).isTrue();
        assertThat(form.get("ledger")).isEqualTo(StateFormat.NEWEST);
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
