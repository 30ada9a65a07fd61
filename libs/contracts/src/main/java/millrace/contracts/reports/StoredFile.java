package millrace.contracts.reports;

/**
 * A finished file in the report store: a slice, a part, a whole report, or the manifest of one in parts.
 *
 * @param name path below the store's root, {@code {report}/{attempt}/{slice}-{execution}}
 * @param size bytes
 * @param sha256 lower-case hex over the bytes
 */
public record StoredFile(String name, long size, String sha256) {}
