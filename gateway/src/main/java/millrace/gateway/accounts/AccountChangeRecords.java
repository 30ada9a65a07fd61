package millrace.gateway.accounts;

import java.util.ArrayList;
import java.util.List;
import millrace.contracts.accounts.AccountAudit;
import millrace.contracts.accounts.AccountRecord;
import millrace.contracts.commands.AccountCommand;
import millrace.contracts.topics.CloudEvent;
import millrace.contracts.topics.Topic;
import millrace.contracts.topics.Topics;
import millrace.gateway.accounts.rules.AccountDecision;
import millrace.gateway.accounts.rules.AccountDifferences;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.jspecify.annotations.Nullable;

/**
 * Builds the records that one change of an account writes: the account, its audit record, and the
 * ledger's commands.
 */
final class AccountChangeRecords {
    private AccountChangeRecords() {}

    static List<ProducerRecord<String, byte[]>> of(
            @Nullable AccountRecord before, AccountDecision.Changed changed, String actor, @Nullable String reason) {
        AccountRecord after = changed.after();
        String id = after.accountId();
        List<AccountAudit.Change> changes = new ArrayList<>(AccountDifferences.between(before, after));
        changes.addAll(changed.credits());
        var audit = new AccountAudit(id, after.revision(), changed.action(), actor, reason, changes, after.updatedAt());
        List<ProducerRecord<String, byte[]>> records = new ArrayList<>();
        records.add(record(Topics.ACCOUNTS, id, after, new RecordHeaders()));
        records.add(record(
                Topics.ACCOUNT_AUDIT, id, audit, CloudEvent.of(audit, null).headers()));
        for (AccountCommand command : changed.commands()) {
            records.add(record(Topics.ACCOUNT_COMMANDS, id, command, new RecordHeaders()));
        }
        return records;
    }

    private static <V> ProducerRecord<String, byte[]> record(Topic<V> topic, String key, V value, Headers headers) {
        return new ProducerRecord<>(topic.name(), null, key, topic.encode(value), headers);
    }
}
