package millrace.gateway.health;

import millrace.gateway.readmodel.ModelReader;
import millrace.runtime.accounts.AccountsReader;

/** What this gateway answers from: reports, and who may ask for them. */
public record TopicReaders(ModelReader model, AccountsReader accounts) {

    /** Whether both have been read and are being read; a key that was revoked elsewhere would else go on to open something. */
    boolean current() {
        return model.current() && accounts.current();
    }
}
