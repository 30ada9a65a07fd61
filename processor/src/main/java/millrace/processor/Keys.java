package millrace.processor;

import java.util.Locale;
import java.util.UUID;
import millrace.contracts.Topics;
import millrace.processor.account.Books.AnswerKey;
import millrace.processor.account.Books.TicketKey;

/** The keys of the stores. */
final class Keys {
    private Keys() {}

    static String report(String account, UUID report) {
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
