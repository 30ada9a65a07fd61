package millrace.client.cli.session;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Optional;
import millrace.runtime.cli.CliException;
import org.jspecify.annotations.Nullable;

/**
 * Where the service is, and the key for it.
 *
 * @param url without a slash at its end
 * @param caFile certificates to trust (PEM); null: those that Java trusts
 */
public record Connection(
        URI url, @Nullable String key, @Nullable String caFile) {
    static final String URL = "MILLRACE_URL";
    static final String KEY = "MILLRACE_KEY";
    static final String USUAL = "http://127.0.0.1:8080";

    /**
     * Flags come first, then the profile where one is named, then the environment, then the profile
     * of this user. A profile's key goes to the profile's address and to no other.
     */
    public static Connection of(ConnectionOptions given, Machine machine, Profiles profiles) throws CliException {
        String name = given.profile == null ? Profiles.DEFAULT : given.profile;
        Optional<Profile> profile = profiles.find(name);
        if (given.profile != null && profile.isEmpty()) {
            throw new CliException(
                    ExitCodes.USAGE,
                    "there is no profile " + name + " in " + profiles.file() + "; there are: "
                            + (profiles.names().isEmpty() ? "none" : String.join(", ", profiles.names())));
        }
        String url = first(
                given.url,
                variable(given, machine, URL),
                profile.map(Profile::url).orElse(null),
                USUAL);
        String key = first(
                given.key(machine),
                variable(given, machine, KEY),
                profile.filter(p -> same(p.url(), url)).map(Profile::key).orElse(null));
        String caFile = first(
                given.caFile == null ? null : given.caFile.toString(),
                profile.filter(p -> same(p.url(), url)).map(Profile::caFile).orElse(null));
        return new Connection(address(String.valueOf(url)), key == null ? null : checkedKey(key), caFile);
    }

    /**
     * For a login: a new profile need not be there, and the key of an old one is not taken, so that
     * it can be replaced.
     */
    public static Connection ofLogin(ConnectionOptions given, Machine machine, Profiles profiles) throws CliException {
        String name = given.profile == null ? Profiles.DEFAULT : given.profile;
        Optional<Profile> profile = profiles.find(name);
        String url = first(
                given.url,
                machine.environment().get(URL),
                profile.map(Profile::url).orElse(null),
                USUAL);
        String key = first(given.key(machine), machine.environment().get(KEY));
        String caFile = given.caFile == null
                ? profile.filter(p -> same(p.url(), url)).map(Profile::caFile).orElse(null)
                : given.caFile.toAbsolutePath().toString();
        return new Connection(address(String.valueOf(url)), key == null ? null : checkedKey(key), caFile);
    }

    /** A variable of the environment, unless a profile is named on the command line. */
    private static @Nullable String variable(ConnectionOptions given, Machine machine, String name) {
        String value = given.profile == null ? machine.environment().get(name) : null;
        return value == null || value.isBlank() ? null : value.strip();
    }

    private static boolean same(String one, @Nullable String other) {
        return other != null && trimmed(one).equals(trimmed(other));
    }

    /** The address of a service. */
    public static URI address(String text) throws CliException {
        try {
            URI url = new URI(trimmed(text));
            boolean web = String.valueOf(url.getScheme()).matches("(?i)https?");
            if (web && url.getHost() != null && url.getRawQuery() == null && url.getRawFragment() == null) {
                return url;
            }
        } catch (URISyntaxException e) {
            // Told below, as any other address that is none.
        }
        throw new CliException(ExitCodes.USAGE, "the address must be like " + USUAL + ": " + text);
    }

    /** An address that webhooks go to, with whatever path and query it has. */
    public static URI receiver(String text) throws CliException {
        try {
            URI url = new URI(text.strip());
            if (url.getHost() != null && String.valueOf(url.getScheme()).matches("(?i)https?")) {
                return url;
            }
        } catch (URISyntaxException e) {
            // Told below, as any other address that is none.
        }
        throw new CliException(ExitCodes.USAGE, "the address must be like http://127.0.0.1:3000/hook: " + text);
    }

    private static String trimmed(String url) {
        return url.strip().replaceFirst("/+$", "");
    }

    /** @throws CliException if there is none */
    public String requiredKey() throws CliException {
        if (key == null) {
            throw new CliException(
                    ExitCodes.UNAUTHORIZED, "no key for " + url + ": log in with millrace login, or set MILLRACE_KEY");
        }
        return key;
    }

    /** A key that can be sent. */
    public static String checkedKey(String key) throws CliException {
        if (key.isEmpty() || !key.chars().allMatch(c -> c > ' ' && c < 127)) {
            throw new CliException(
                    ExitCodes.USAGE, "the key has characters that no key has; was it copied as a whole?");
        }
        return key;
    }

    private static @Nullable String first(@Nullable String... values) {
        for (String value : values) {
            if (value != null) {
                return value;
            }
        }
        return null;
    }
}
