package millrace.client.cli.session;

import org.jspecify.annotations.Nullable;

/**
 * What {@code login} keeps.
 *
 * @param url address of the service
 * @param caFile certificates to trust (PEM); null: those that Java trusts
 */
public record Profile(String url, String key, @Nullable String caFile) {}
