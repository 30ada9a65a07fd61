package millrace.catalog.validation;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Collectors;
import millrace.catalog.access.Entitlements;
import millrace.catalog.dataset.Dataset;
import millrace.catalog.dataset.RequestFields;
import millrace.catalog.text.Text;

/**
 * Reads the countries of a request, sorted, and checks that the account is granted each of them in
 * every category that the metrics need.
 */
final class RequestedCountries {
    private static final String WORLD = "WW";
    /** Another word for it. */
    private static final String WORLD_IN_FULL = "WORLD";

    private RequestedCountries() {}

    static List<String> of(
            Dataset dataset,
            RawRequest raw,
            RequestedMetrics metrics,
            Entitlements entitlements,
            RequestProblems problems) {
        List<String> countries = named(dataset, raw, problems);
        entitlements
                .grants(metrics.categories())
                .forEach((access, categories) -> granted(countries, raw, categories, access, problems));
        return countries;
    }

    private static List<String> named(Dataset dataset, RawRequest raw, RequestProblems problems) {
        String field = RequestFields.COUNTRIES;
        String byDefault = dataset.defaultCountry();
        if (!raw.has(field)) {
            if (byDefault != null) {
                return List.of(byDefault);
            }
            problems.error(field, "is missing; accepted: country codes of two letters, for example US");
        }
        Optional<RawRequest.Items> items = raw.items(field);
        if (items.isEmpty()) {
            return List.of();
        }
        if (items.get().empty()) {
            problems.error(
                    field,
                    "names nothing; accepted: country codes of two letters, for example US"
                            + (byDefault == null ? "" : "; left out it means " + byDefault));
        }
        var codes = new TreeSet<String>();
        long wrong = 0;
        for (String code : items.get().values()) {
            if (WORLD_IN_FULL.equalsIgnoreCase(code)) {
                codes.add(WORLD);
            } else if (isCode(code)) {
                codes.add(code.toUpperCase(Locale.ROOT));
            } else {
                wrong++;
                problems.error(
                        field,
                        () -> Text.quoted(code) + " is not a country code; accepted: two letters, for example US");
            }
        }
        if (!items.get().cut()) {
            problems.duplicates(field, items.get().given() - wrong - codes.size());
        }
        return new ArrayList<>(codes);
    }

    /** Two letters, in any case; answers and files have upper case. */
    private static boolean isCode(String text) {
        return text.length() == 2 && isLetter(text.charAt(0)) && isLetter(text.charAt(1));
    }

    private static boolean isLetter(char c) {
        return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
    }

    private static void granted(
            List<String> countries,
            RawRequest raw,
            String categories,
            Entitlements.Access access,
            RequestProblems problems) {
        List<String> missing =
                countries.stream().filter(c -> !access.countries().contains(c)).toList();
        if (!missing.isEmpty()) {
            String byDefault = raw.has(RequestFields.COUNTRIES) ? "" : " (what leaving the field out means)";
            problems.error(
                    RequestFields.COUNTRIES,
                    missing.stream().map(Text::quoted).collect(Collectors.joining(", "))
                            + byDefault
                            + (missing.size() == 1 ? " is" : " are")
                            + " not available to this account in "
                            + categories + "; accepted: " + String.join(", ", access.sorted()));
        }
    }
}
