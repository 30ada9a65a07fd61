package millrace.processor.ledger.decide;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.function.Consumer;
import millrace.contracts.accounts.VersionPrice;
import millrace.contracts.commands.AccountCommand;
import millrace.contracts.commands.SliceRef;
import millrace.contracts.reports.ErrorCode;
import millrace.contracts.reports.ResultCounts;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/**
 * Property tests with any sequence of commands. After every command {@link CheckedAccount} checks that the balance
 * equals that of {@link ReferenceLedger}, the sum of the entries and the reservations of open reports; that entries
 * have no gap or duplicate; that a charged report does not change; and that every open report goes on.
 */
class LedgerPropertiesTest {
    private static final List<UUID> REPORTS = List.of(
            LedgerSamples.id("a"),
            LedgerSamples.id("b"),
            LedgerSamples.id("c"),
            LedgerSamples.id("d"),
            LedgerSamples.id("e"));

    /** A step of a sequence, drawn from numbers so that sequences shrink. */
    record Move(int kind, int report, int number, int more) {
        AccountCommand command(List<SliceRef> slices) {
            UUID id = REPORTS.get(report);
            SliceRef slice = slices.isEmpty()
                    ? new SliceRef(id, 1, 0, 1)
                    : slices.get(Math.max(0, slices.size() - 1 - number % 12));
            return switch (kind) {
                case 0 -> new AccountCommand.GrantCredits("g" + number % 6, more * 7L - 3, "bought");
                case 16 -> new AccountCommand.ExpireCredits("x" + number % 6, more * 7L - 3, "over");
                case 1, 2 -> request(id);
                case 3 -> new AccountCommand.RetryReport(id, 1 + number % 5);
                case 4 -> new AccountCommand.CancelReport(id);
                case 17 -> new AccountCommand.EraseReport(id);
                case 5 -> new AccountCommand.SliceRunning(slice, number);
                case 6 -> new AccountCommand.SliceFailed(slice, ErrorCode.RENDER_FAILED, "broken");
                case 7 -> new AccountCommand.Assembled(slice, LedgerSamples.file(slice));
                default ->
                    new AccountCommand.SliceDone(slice, LedgerSamples.file(slice), new ResultCounts(more, more, 0));
            };
        }

        private AccountCommand.RequestReport request(UUID id) {
            var request =
                    LedgerSamples.request(id, number, number, 1 + more % 9, more % 3 == 0 ? 1 + number % 9 : null);
            return switch (number % 3) {
                case 0 -> LedgerSamples.withKey(request, "k" + number % 2, "h" + more % 2);
                case 1 -> {
                    Boolean pinned = more % 4 == 0 ? true : null;
                    yield LedgerSamples.costingIn(request, new VersionPrice(version(), number / 2, pinned));
                }
                default -> request;
            };
        }

        String version() {
            return "v" + (1 + more % 2);
        }
    }

    @Provide
    Arbitrary<List<Move>> moves() {
        return Arbitraries.integers()
                .between(0, 17)
                .flatMap(kind -> Arbitraries.integers()
                        .between(0, REPORTS.size() - 1)
                        .flatMap(
                                report -> Arbitraries.integers().between(0, 30).flatMap(number -> Arbitraries.integers()
                                        .between(0, 15)
                                        .map(more -> new Move(kind, report, number, more)))))
                .list()
                .ofMinSize(1)
                .ofMaxSize(120);
    }

    @Property(tries = 500, edgeCases = EdgeCasesMode.NONE)
    void theBooksAreRightAndEveryReportEnds(@ForAll("moves") List<Move> moves) {
        var play = new CheckedAccount("acme");
        moves.forEach(each(play, command -> play.send(command)));
        // Without further answers, timers end every report.
        for (int i = 0; i < 200 && play.reader.account.openReports() > 0; i++) {
            play.pass(Duration.ofDays(1));
        }
        assertThat(play.reader.account.openReports()).isZero();
        assertThat(play.reader.account.balance().reserved()).isZero();
        assertThat(play.reader.answers).isEmpty();
    }

    @Property(tries = 200, edgeCases = EdgeCasesMode.NONE)
    void whatArrivesTwiceCountsOnce(@ForAll("moves") List<Move> moves) {
        var once = new CheckedAccount("acme");
        var twice = new CheckedAccount("acme");
        moves.forEach(each(once, command -> once.send(command)));
        moves.forEach(each(twice, command -> {
            twice.send(command);
            Object before = twice.reader.content().toString();
            twice.send(command);
            assertThat(twice.reader.content().toString()).isEqualTo(before);
        }));
        assertThat(twice.reader.content()).isEqualTo(once.reader.content());
    }

    @Property(tries = 200, edgeCases = EdgeCasesMode.NONE)
    void aReplayInAnyOrderKeepsTheBooksRight(@ForAll("moves") List<Move> moves, @ForAll Random random) {
        var play = new CheckedAccount("acme");
        List<AccountCommand> sent = new ArrayList<>();
        moves.forEach(each(play, command -> {
            play.send(command);
            sent.add(command);
        }));
        Collections.shuffle(sent, random);
        // CheckedAccount checks that no report is charged twice and that the invariants hold.
        sent.forEach(play::send);
    }

    @Property(tries = 100, edgeCases = EdgeCasesMode.NONE)
    void accountsDoNotTouchEachOther(@ForAll("moves") List<Move> a, @ForAll("moves") List<Move> b) {
        var together = List.of(new CheckedAccount("a"), new CheckedAccount("b"));
        for (int i = 0; i < Math.max(a.size(), b.size()); i++) {
            if (i < b.size()) {
                each(together.get(1), c -> together.get(1).send(c)).accept(b.get(i));
            }
            if (i < a.size()) {
                each(together.get(0), c -> together.get(0).send(c)).accept(a.get(i));
            }
        }
        var alone = new CheckedAccount("a");
        a.forEach(each(alone, command -> alone.send(command)));
        assertThat(together.get(0).reader.content()).isEqualTo(alone.reader.content());
    }

    /** Kinds from 13 to 15 let time pass, and 12 publishes a version. */
    private static Consumer<Move> each(CheckedAccount play, Consumer<AccountCommand> command) {
        return move -> {
            if (move.kind() >= 13 && move.kind() <= 15) {
                play.pass(Duration.ofSeconds(move.number() * 10L));
            } else if (move.kind() == 12) {
                play.reader.earlierVersions.add(String.valueOf(play.reader.dataVersion));
                play.reader.dataVersion = move.version();
            } else {
                command.accept(move.command(play.slices));
            }
        };
    }
}
