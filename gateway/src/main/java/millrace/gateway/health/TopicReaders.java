package millrace.gateway.health;

import millrace.gateway.copy.reports.ModelReader;
import millrace.runtime.accounts.AccountsReader;

/** The readers that every answer relies on: of reports and of accounts. */
public record TopicReaders(ModelReader model, AccountsReader accounts) {

    /**
     * Whether both have caught up and keep up. A gateway that falls behind would accept keys that
     * another gateway has revoked.
     */
    boolean current() {
        return model.current() && accounts.current();
    }
}
