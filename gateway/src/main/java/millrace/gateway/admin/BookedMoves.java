package millrace.gateway.admin;

import io.micronaut.http.HttpResponse;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Predicate;
import millrace.contracts.accounts.AccountRecord;
import millrace.contracts.accounts.AccountRecord.Booked;
import millrace.contracts.accounts.AccountRecord.Move;
import millrace.contracts.accounts.AccountState;
import millrace.contracts.accounts.LedgerEntry;
import millrace.gateway.accounts.rules.AccountRules;
import millrace.gateway.copy.activity.ActivityQueries;
import millrace.gateway.problems.ProblemCode;
import millrace.gateway.server.JsonResponses;
import org.jspecify.annotations.Nullable;

/**
 * Recognises grants and expiries that were asked for before, and tells what the ledger has booked. An account knows its
 * newest ones; of those before, the ledger's entries tell.
 */
final class BookedMoves {
    /** The ledger decides within some tenths of a second. */
    private static final Duration TIMEOUT = Duration.ofSeconds(2);

    private final AdminDependencies parts;

    BookedMoves(AdminDependencies parts) {
        this.parts = parts;
    }

    /** @param amount that was booked; null while the ledger has not decided */
    private record Moved(
            String id, String accountId, @Nullable Long amount) {}

    /** @param whole whether all entries were read that the id can be in */
    private record Found(boolean whole, Optional<LedgerEntry> entry) {
        static final Found NOTHING = new Found(false, Optional.empty());
    }

    /** The answer to a move that is not made, because its id is that of an earlier one, or may be. */
    Optional<HttpResponse<byte[]>> earlier(String accountId, Move move) {
        Optional<Booked> booked = parts.accounts().record(accountId).map(AccountRecord::effectivelyBooked);
        if (booked.isEmpty()
                || booked.get().whole()
                || booked.get().move(move.id()).isPresent()) {
            return Optional.empty(); // the account decides
        }
        await(entries -> hasRead(entries, accountId, booked.get()));
        Found found = parts.activity()
                .ask(entries ->
                        new Found(hasRead(entries, accountId, booked.get()), entries.moved(accountId, move.id())))
                .orElse(Found.NOTHING);
        if (found.entry().isPresent()) {
            return found.entry().map(entry -> repeated(entry, move));
        }
        return found.whole()
                ? Optional.empty()
                : Optional.of(JsonResponses.unavailable(
                        ProblemCode.GATEWAY_STARTING,
                        "This gateway is still reading what was booked for the account; try again."));
    }

    /** Whether every entry was read that is about a move which the account does not list any more. */
    private boolean hasRead(ActivityQueries entries, String accountId, Booked booked) {
        return booked.moves().isEmpty()
                ? entries.lastEntry(accountId)
                        >= parts.model()
                                .balance(accountId)
                                .map(AccountState::ledgerSequence)
                                .orElse(0L)
                : entries.moved(accountId, booked.moves().getFirst().id()).isPresent();
    }

    private static HttpResponse<byte[]> repeated(LedgerEntry entry, Move move) {
        boolean grant = entry.kind() == LedgerEntry.Kind.GRANT;
        long asked = Math.abs(move.credits());
        // An expiry takes at most what remains.
        boolean same = grant == (move.credits() > 0)
                && (entry.amount() == asked || (!grant && entry.amount() < asked && entry.remaining() == 0));
        return same
                ? JsonResponses.created(new Moved(move.id(), entry.accountId(), entry.amount()))
                : JsonResponses.problem(
                        ProblemCode.ID_TAKEN,
                        AccountRules.otherMove(new Move(move.id(), grant ? entry.amount() : -entry.amount())));
    }

    /** The answer to a move that is made: what was booked. Waits a moment for the ledger where it decides how much. */
    HttpResponse<byte[]> booked(String accountId, Move move) {
        if (move.credits() > 0) {
            return JsonResponses.created(new Moved(move.id(), accountId, move.credits()));
        }
        await(entries -> entries.moved(accountId, move.id()).isPresent());
        return parts.activity()
                .ask(entries -> entries.moved(accountId, move.id()))
                .flatMap(entry -> entry)
                .map(entry -> JsonResponses.created(new Moved(move.id(), accountId, entry.amount())))
                .orElseGet(() -> JsonResponses.accepted(new Moved(move.id(), accountId, null)));
    }

    private void await(Predicate<ActivityQueries> condition) {
        try {
            parts.activity().await(condition, TIMEOUT);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
