package millrace.gateway;

import millrace.gateway.model.ModelReader;
import millrace.runtime.accounts.AccountsReader;

/** What this gateway answers from: reports, and who may ask for them. */
record Readers(ModelReader model, AccountsReader accounts) {

    /** Whether both have been read and are being read; a key that was revoked elsewhere would else go on to open something. */
    boolean current() {
        return model.current() && accounts.current();
    }
}
