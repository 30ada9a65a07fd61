package millrace.bench.takeover;

import java.util.ArrayList;
import java.util.List;
import millrace.contracts.delivery.WebhookEndpoint;
import millrace.contracts.topics.Topic;

/**
 * An account that asks for reports.
 *
 * @param partition of its commands
 * @param endpointPartition of its webhooks
 */
record LoadAccount(String id, int partition, int endpointPartition) {
    /** Accounts whose commands lie in each partition equally often, with webhooks to one URL. */
    static List<LoadAccount> of(int partitions, int ofEach, String url) {
        var number = new int[partitions];
        List<LoadAccount> accounts = new ArrayList<>();
        for (int i = 0; accounts.size() < partitions * ofEach; i++) {
            String id = "load-" + i;
            int partition = Topic.partition(id, partitions);
            if (number[partition]++ < ofEach) {
                String endpoint = WebhookEndpoint.of(id, url).key();
                accounts.add(new LoadAccount(id, partition, Topic.partition(endpoint, partitions)));
            }
        }
        return accounts;
    }
}
