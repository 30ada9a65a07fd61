package millrace.catalog;

import java.util.List;
import millrace.contracts.Dialect;

/** Checks request bodies; holds no state of its own and may be shared by threads. */
public final class RequestValidator {
    private final Limits limits;

    public RequestValidator(Limits limits) {
        this.limits = limits;
    }

    /**
     * Never throws, whatever the bytes are.
     *
     * @param json the body
     * @param entitlements of the account that asks
     * @param dialect fixed for the report from here on
     */
    public Checked validate(Dataset dataset, byte[] json, Entitlements entitlements, Dialect dialect) {
        return new Checked.Invalid(
                List.of("no request for " + dataset.name() + " of " + json.length + " bytes is accepted yet: " + limits
                        + entitlements + dialect),
                List.of());
    }
}
