package millrace.contracts.accounts;

/**
 * The most that a report may cost where it reads this version of the data, which does not have all that the report asks for.
 *
 * @param dataVersion the version that the report's entities were looked up in
 * @param credits less than the quote, which counts all entities
 */
public record VersionPrice(String dataVersion, long credits) {}
