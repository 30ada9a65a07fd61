package millrace.gateway.http;

import com.fasterxml.jackson.annotation.JsonProperty;
import jakarta.inject.Singleton;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import millrace.catalog.Category;
import millrace.catalog.Checked;
import millrace.catalog.Dataset;
import millrace.catalog.Entitlements;
import millrace.catalog.Limits;
import millrace.catalog.RequestValidator;
import millrace.gateway.GatewaySettings;
import millrace.gateway.admission.Caller;
import millrace.gateway.model.ReadModel;
import millrace.runtime.Account;
import millrace.runtime.accounts.Accounts;
import org.jspecify.annotations.Nullable;

/** Checks bodies against the catalog and what the account may see. */
@Singleton
final class RequestChecks {
    private static final String NO_SECRET =
            "webhook_url: the account has no webhook secret, so that no event could be signed; the operator makes one.";

    private final RequestValidator validator;
    private final ReadModel model;
    private final Accounts accounts;

    RequestChecks(GatewaySettings settings, ReadModel model, Accounts accounts) {
        this.validator = new RequestValidator(new Limits(settings.maxEntities()));
        this.model = model;
        this.accounts = accounts;
    }

    /** The answer of request-validate. */
    record Validation(
            @Nullable Long estimatedCredits,
            @JsonProperty("is_valid") boolean isValid,
            @Nullable List<String> errors,
            List<String> warnings) {}

    Checked check(Caller caller, Dataset dataset, InputStream json) {
        Checked checked = validator.validate(dataset, json, entitlements(caller.account()), caller.dialect());
        return checked instanceof Checked.Valid valid
                        && valid.request().webhookUrl() != null
                        && !accounts.signsWebhooks(caller.accountId())
                ? new Checked.Invalid(List.of(NO_SECRET), valid.warnings())
                : checked;
    }

    Validation validation(Caller caller, Dataset dataset, InputStream json) {
        return switch (check(caller, dataset, json)) {
            case Checked.Invalid(List<String> errors, List<String> warnings) ->
                new Validation(null, false, errors, warnings);
            case Checked.Valid valid -> {
                long credits = valid.quote().credits();
                List<String> warnings = new ArrayList<>(valid.warnings());
                long remaining = model.remaining(caller.accountId());
                if (credits > remaining) {
                    warnings.add("The estimate of " + credits + " credits is above the " + remaining
                            + " credits that remain.");
                }
                yield new Validation(credits, true, null, warnings);
            }
        };
    }

    static Entitlements entitlements(Account account) {
        Map<Category, Entitlements.Access> access = new EnumMap<>(Category.class);
        account.entitlements().forEach((category, granted) -> Category.of(category)
                .ifPresent(c -> access.put(
                        c,
                        new Entitlements.Access(
                                Set.copyOf(granted.countries()), granted.startDate(), granted.endDate()))));
        return new Entitlements(access);
    }
}
