package millrace.processor.ledger.state;

import java.util.Locale;
import java.util.UUID;
import millrace.contracts.topics.Topics;
import millrace.processor.ledger.decide.AccountReader.AnswerKey;
import millrace.processor.ledger.decide.AccountReader.TicketKey;

/** Builds the keys of the ledger's store. */
public final class StoreKeys {
    private StoreKeys() {}

    public static String report(String account, UUID report) {
        return Topics.reportKey(account, report);
    }

    static String answer(String account, AnswerKey key) {
        return report(account, key.reportId()) + "/" + key.attempt() + "/" + key.slice();
    }

    static String ticket(String account, TicketKey key) {
        return under(account, key.lane().name().toLowerCase(Locale.ROOT) + "/" + key.number());
    }

    static String under(String account, String name) {
        return account + "/" + name;
    }
}
