package millrace.gateway.submission;

import com.fasterxml.jackson.annotation.JsonProperty;
import jakarta.inject.Singleton;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import millrace.catalog.access.Entitlements;
import millrace.catalog.dataset.CapabilityCategory;
import millrace.catalog.dataset.Dataset;
import millrace.catalog.validation.CheckedRequest;
import millrace.catalog.validation.RequestLimits;
import millrace.catalog.validation.RequestValidator;
import millrace.gateway.admission.Caller;
import millrace.gateway.datasets.DataWarnings;
import millrace.gateway.readmodel.ReadModel;
import millrace.gateway.settings.GatewaySettings;
import millrace.runtime.accounts.Accounts;
import millrace.runtime.accounts.DeclaredAccount;
import org.jspecify.annotations.Nullable;

/** Checks request bodies against the catalog and the account's entitlements. */
@Singleton
final class RequestChecks {
    private static final String NO_SECRET =
            "webhook_url: the account has no webhook secret, so that no event could be signed; the operator makes one.";

    private final RequestValidator validator;
    private final ReadModel model;
    private final Accounts accounts;
    private final DataWarnings dataWarnings;

    RequestChecks(GatewaySettings settings, ReadModel model, Accounts accounts, DataWarnings dataWarnings) {
        this.validator = new RequestValidator(new RequestLimits(settings.maxEntities()));
        this.model = model;
        this.accounts = accounts;
        this.dataWarnings = dataWarnings;
    }

    /** The answer of request-validate. */
    record Validation(
            @Nullable Long estimatedCredits,
            @JsonProperty("is_valid") boolean isValid,
            @Nullable List<String> errors,
            List<String> warnings) {}

    CheckedRequest check(Caller caller, Dataset dataset, InputStream json) {
        CheckedRequest checked = validator.validate(dataset, json, entitlements(caller.account()), caller.dialect());
        return checked instanceof CheckedRequest.Valid valid
                        && valid.request().webhookUrl() != null
                        && !accounts.signsWebhooks(caller.accountId())
                ? new CheckedRequest.Invalid(List.of(NO_SECRET), valid.warnings())
                : checked;
    }

    Validation validation(Caller caller, Dataset dataset, InputStream json) {
        return switch (check(caller, dataset, json)) {
            case CheckedRequest.Invalid(List<String> errors, List<String> warnings) ->
                new Validation(null, false, errors, warnings);
            case CheckedRequest.Valid valid -> {
                long credits = valid.quote().credits();
                List<String> warnings = new ArrayList<>(valid.warnings());
                warnings.addAll(dataWarnings.ofValidation(dataset, valid));
                long remaining = model.remaining(caller.accountId());
                if (credits > remaining) {
                    warnings.add("The estimate of " + credits + " credits is above the " + remaining
                            + " credits that remain.");
                }
                yield new Validation(credits, true, null, warnings);
            }
        };
    }

    static Entitlements entitlements(DeclaredAccount account) {
        Map<CapabilityCategory, Entitlements.Access> access = new EnumMap<>(CapabilityCategory.class);
        account.entitlements().forEach((category, granted) -> CapabilityCategory.of(category)
                .ifPresent(c -> access.put(
                        c,
                        new Entitlements.Access(
                                Set.copyOf(granted.countries()), granted.startDate(), granted.endDate()))));
        return new Entitlements(access);
    }
}
