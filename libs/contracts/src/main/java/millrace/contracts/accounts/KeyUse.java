package millrace.contracts.accounts;

import java.time.Instant;

/**
 * When a key was last used, to the hour.
 *
 * @param keyId {@link AccountRecord.Key#idOf}, also the record's key
 */
public record KeyUse(String keyId, Instant lastUsedAt) {}
