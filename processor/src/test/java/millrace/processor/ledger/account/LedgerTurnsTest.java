package millrace.processor.ledger.account;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.UUID;
import java.util.function.BiConsumer;
import millrace.contracts.commands.AccountCommand;
import millrace.contracts.reports.ErrorCode;
import millrace.processor.ledger.account.state.AccountReader.TicketKey;
import millrace.processor.ledger.account.state.Fact;
import millrace.processor.ledger.account.state.Lane;
import millrace.processor.ledger.account.state.PendingChanges;
import millrace.processor.ledger.account.state.RecordedFact;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Two small reports are handed out, two wait with the tickets 2 and 3; then one ends and the next turn cannot be given. */
class LedgerTurnsTest {
    private static final UUID THIRD = LedgerSamples.id("c");
    private static final UUID FOURTH = LedgerSamples.id("d");

    private final Ledger ledger = new Ledger(LedgerSamples.RULES);
    private final MemoryAccountReader books = new MemoryAccountReader("acme");

    @BeforeEach
    void twoWait() {
        play((l, draft) -> l.decide(draft, new AccountCommand.GrantCredits("g", 100, "bought")));
        for (String name : List.of("a", "b", "c", "d")) {
            play((l, draft) -> {
                l.decide(draft, LedgerSamples.request(LedgerSamples.id(name), 10, 5, 1, null));
                l.turns(draft);
            });
        }
        assertThat(ledger.turnIsDue(books.account())).isFalse();
        play((l, draft) -> l.decide(draft, new AccountCommand.CancelReport(LedgerSamples.id("a"))));
        assertThat(ledger.turnIsDue(books.account())).isTrue();
    }

    @Test
    void aTicketThatIsLostIsPassedOver() {
        books.tickets.remove(new TicketKey(Lane.SMALL, 2));
        assertThatThrownBy(() -> ledger.turn(draft())).isInstanceOf(IllegalStateException.class);
        assertThat(play(Ledger::endTurn)).containsExactly(new Fact.Called(null, Lane.SMALL));
        play(Ledger::turn);
        assertThat(books.known("d").openWork().flights()).hasSize(1);
        assertThat(ledger.turnIsDue(books.account())).isFalse();
    }

    @Test
    void aReportWithoutItsRequestEnds() {
        books.requests.remove(THIRD);
        assertThatThrownBy(() -> ledger.turn(draft())).isInstanceOf(IllegalStateException.class);
        assertThat(play(Ledger::endTurn).getLast()).isInstanceOfSatisfying(Fact.Failed.class, failed -> {
            assertThat(failed.reportId()).isEqualTo(THIRD);
            assertThat(failed.failure().code()).isEqualTo(ErrorCode.RENDER_FAILED);
        });
        assertThat(books.account.balance().reserved()).isEqualTo(20);
        play(Ledger::turn);
        assertThat(books.known("d").openWork().flights()).hasSize(1);
    }

    @Test
    void aTurnIsSkippedWhoseverItIs() {
        assertThat(play(Ledger::skipTurn)).containsExactly(new Fact.Called(null, Lane.SMALL));
        assertThat(play(Ledger::turn)).contains(new Fact.Called(FOURTH, Lane.SMALL));
        assertThat(ledger.turnIsDue(books.account())).isFalse();
    }

    private PendingChanges draft() {
        return new PendingChanges(books, LedgerSamples.NOON);
    }

    /** The facts that follow, which the books then hold. */
    private List<Fact> play(BiConsumer<Ledger, PendingChanges> decision) {
        PendingChanges draft = draft();
        decision.accept(ledger, draft);
        books.save(draft);
        return draft.steps().stream().map(RecordedFact::fact).toList();
    }
}
