package millrace.catalog.validation;

import java.net.URISyntaxException;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import millrace.catalog.dataset.EntityRules;
import millrace.catalog.text.Text;
import millrace.contracts.delivery.WebhookAddress;
import org.jspecify.annotations.Nullable;

/**
 * Checks the form of webhook URLs. Whether their addresses are allowed is checked when they are
 * called.
 */
public final class WebhookUrl {
    public static final int LONGEST_URL = 2_048;
    private static final int LARGEST_PORT = 65_535;
    private static final String ACCEPTED =
            "; accepted: an absolute http or https URL with a host, without user name, of at most 2,048 characters";

    /** A host, a port and the rest, as in {@code example.com:8443/hook}. */
    private static final Pattern HOST_FIRST = Pattern.compile("[A-Za-z0-9._-]+(:[0-9]{1,5})?([/?].*)?");

    private static final Pattern PORT = Pattern.compile(":[0-9]*$");

    private WebhookUrl() {}

    /** The URL, with {@code https://} before it where it begins with a host. */
    public static String withScheme(String text) {
        return HOST_FIRST.matcher(text).matches() ? "https://" + text : text;
    }

    /**
     * A sentence, without the field's name, about what is wrong and what is accepted; empty where
     * the URL is valid.
     */
    public static Optional<String> fault(String text) {
        return problem(text).map(problem -> problem + ACCEPTED);
    }

    private static Optional<String> problem(String text) {
        if (text.length() > LONGEST_URL) {
            return Optional.of("has " + Text.number(text.length()) + " characters");
        }
        try {
            return Optional.ofNullable(fault(WebhookAddress.of(text)))
                    // A user name may come with a password, which no sentence repeats.
                    .map(fault -> text.contains("@") ? fault : Text.quoted(text) + " " + fault);
        } catch (URISyntaxException e) {
            return Optional.of(text.contains("@") ? "is not a URL" : Text.quoted(text) + " is not a URL");
        }
    }

    private static @Nullable String fault(WebhookAddress address) {
        if (address.scheme().isEmpty()) {
            return "is not absolute";
        }
        if (!List.of("http", "https").contains(address.scheme())) {
            return "is neither http nor https";
        }
        if (address.uri().getRawUserInfo() != null) {
            return "has a user name";
        }
        if (address.host() == null) {
            return noHost(address.uri().getRawAuthority());
        }
        if (address.scheme().equals("https") && address.host().indexOf('_') >= 0) {
            return "has a host with _, which no certificate names; use http, or another host";
        }
        return address.port() == 0 || address.port() > LARGEST_PORT ? "has an impossible port" : null;
    }

    private static String noHost(@Nullable String authority) {
        return authority == null || authority.chars().allMatch(c -> c < 128)
                ? "has no valid host"
                : EntityRules.otherLetters(PORT.matcher(authority).replaceFirst(""));
    }
}
