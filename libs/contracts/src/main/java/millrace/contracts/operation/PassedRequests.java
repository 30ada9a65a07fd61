package millrace.contracts.operation;

import java.util.List;

/**
 * What a gateway has let through of the accounts that send much, so that the others count it, too.
 * Also the sign that the gateway is there.
 *
 * @param gatewayId also the record's key; another one after each start
 * @param submissions requests that submit, change or end something
 * @param reads requests that read, validate or preview
 */
public record PassedRequests(String gatewayId, List<Count> submissions, List<Count> reads) {
    public PassedRequests {
        submissions = List.copyOf(submissions);
        reads = List.copyOf(reads);
    }

    /**
     * Requests that were let through.
     *
     * @param perSecond the account's limit
     * @param ageMillis since the first of them
     */
    public record Count(String accountId, int perSecond, int requests, long ageMillis) {}
}
