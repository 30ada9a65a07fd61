package millrace.processor.ledger.decide;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.UUID;
import java.util.function.BiConsumer;
import millrace.contracts.commands.AccountCommand;
import millrace.contracts.reports.ErrorCode;
import millrace.processor.ledger.decide.AccountReader.TicketKey;
import millrace.processor.ledger.decide.PendingChanges.RecordedFact;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Two small reports are handed out, two wait with the tickets 2 and 3. Then one ends and the next turn fails. */
class LedgerTurnsTest {
    private static final UUID THIRD = LedgerSamples.id("c");
    private static final UUID FOURTH = LedgerSamples.id("d");

    private final Ledger ledger = new Ledger(LedgerSamples.RULES);
    private final MemoryAccountReader reader = new MemoryAccountReader("acme");

    @BeforeEach
    void twoWait() {
        play((l, changes) -> l.decide(changes, new AccountCommand.GrantCredits("g", 100, "bought")));
        for (String name : List.of("a", "b", "c", "d")) {
            play((l, changes) -> {
                l.decide(changes, LedgerSamples.request(LedgerSamples.id(name), 10, 5, 1, null));
                l.turns(changes);
            });
        }
        assertThat(ledger.turnIsDue(reader.account())).isFalse();
        play((l, changes) -> l.decide(changes, new AccountCommand.CancelReport(LedgerSamples.id("a"))));
        assertThat(ledger.turnIsDue(reader.account())).isTrue();
    }

    @Test
    void aTicketThatIsLostIsPassedOver() {
        reader.tickets.remove(new TicketKey(Lane.SMALL, 2));
        assertThatThrownBy(() -> ledger.turn(changes())).isInstanceOf(IllegalStateException.class);
        assertThat(play(Ledger::endTurn)).containsExactly(new Fact.Called(null, Lane.SMALL));
        play(Ledger::turn);
        assertThat(reader.known("d").openWork().flights()).hasSize(1);
        assertThat(ledger.turnIsDue(reader.account())).isFalse();
    }

    @Test
    void aReportWithoutItsRequestEnds() {
        reader.requests.remove(THIRD);
        assertThatThrownBy(() -> ledger.turn(changes())).isInstanceOf(IllegalStateException.class);
        assertThat(play(Ledger::endTurn).getLast()).isInstanceOfSatisfying(Fact.Failed.class, failed -> {
            assertThat(failed.reportId()).isEqualTo(THIRD);
            assertThat(failed.failure().code()).isEqualTo(ErrorCode.RENDER_FAILED);
        });
        assertThat(reader.account.balance().reserved()).isEqualTo(20);
        play(Ledger::turn);
        assertThat(reader.known("d").openWork().flights()).hasSize(1);
    }

    @Test
    void aTurnIsSkippedWhoseverItIs() {
        assertThat(play(Ledger::skipTurn)).containsExactly(new Fact.Called(null, Lane.SMALL));
        assertThat(play(Ledger::turn)).contains(new Fact.Called(FOURTH, Lane.SMALL));
        assertThat(ledger.turnIsDue(reader.account())).isFalse();
    }

    private PendingChanges changes() {
        return new PendingChanges(reader, LedgerSamples.NOON);
    }

    /** Applies the facts of the decision and returns them. */
    private List<Fact> play(BiConsumer<Ledger, PendingChanges> decision) {
        PendingChanges changes = changes();
        decision.accept(ledger, changes);
        reader.save(changes);
        return changes.steps().stream().map(RecordedFact::fact).toList();
    }
}
